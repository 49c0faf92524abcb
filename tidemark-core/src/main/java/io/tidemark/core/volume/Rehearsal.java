package io.tidemark.core.volume;

import io.tidemark.core.medium.Reclaimable;
import java.util.function.Consumer;

/** Removes nothing and answers as if it had, once for each file: the free of a dry run and of a shadow. */
final class Rehearsal implements Reclaimable<VolumeFile> {
    private final Removals removals;
    private final Consumer<VolumeFile> settled;

    /**
     * A rehearsal.
     *
     * @param settled told about each file that has been dealt with
     */
    Rehearsal(Removals removals, Consumer<VolumeFile> settled) {
        this.removals = removals;
        this.settled = settled;
    }

    @Override
    public Freed free(VolumeFile file) {
        if (!removals.isNews(file)) {
            settled.accept(file);
            return Freed.GONE;
        }
        Freed freed = new Freed(Outcome.FREED, file.bytes());
        removals.goes(file, freed.bytes());
        removals.settled(file, freed);
        settled.accept(file);
        return freed;
    }
}
