package io.tidemark.core.volume;

import io.tidemark.core.medium.Reclaimable;
import java.util.function.BooleanSupplier;

/**
 * What a deleter frees with.
 *
 * @param rest closes what it keeps open
 * @param there whether what it has open is still what its path names
 */
record DeleterMedium(Reclaimable<VolumeFile> medium, Runnable rest, BooleanSupplier there) {
    /** In earnest. */
    static DeleterMedium reclaimer(FileReclaimer reclaimer) {
        return new DeleterMedium(reclaimer, reclaimer::rest, reclaimer::isStillThere);
    }

    /** Removes nothing, and has nothing open. */
    static DeleterMedium rehearsal(Rehearsal rehearsal) {
        return new DeleterMedium(rehearsal, () -> {}, () -> true);
    }
}
