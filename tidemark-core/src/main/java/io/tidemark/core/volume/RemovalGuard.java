package io.tidemark.core.volume;

import java.util.function.BooleanSupplier;

/**
 * Whether files of the root may be removed at this moment: it is known to be a cache, and the directory that a deleter has
 * open is still the one that was looked at. If it is not, the right to delete is taken back.
 */
final class RemovalGuard {
    private final BooleanSupplier ours;
    private final VolumeRoot root;
    private final DeletionGrant grant;
    private final VolumeListener listener;

    /**
     * A guard.
     *
     * @param ours whether the root is known to be a cache
     */
    RemovalGuard(BooleanSupplier ours, VolumeRoot root, DeletionGrant grant, VolumeListener listener) {
        this.ours = ours;
        this.root = root;
        this.grant = grant;
        this.listener = listener;
    }

    /** Whether a deleter may remove files; to be asked before each batch. */
    boolean allows(DeleterMedium with) {
        return ours.getAsBoolean() && isStillThere(with);
    }

    private boolean isStillThere(DeleterMedium with) {
        boolean there = with.there().getAsBoolean();
        if (!there) {
            grant.revoke();
            listener.warn(root.cache() + " was moved away or replaced while files of it were going, or does not answer:"
                    + " nothing goes before it has been looked at again");
        }
        return there;
    }
}
