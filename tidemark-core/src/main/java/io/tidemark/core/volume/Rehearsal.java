package io.tidemark.core.volume;

import io.tidemark.core.medium.Reclaimable;

/** Removes nothing and answers as if it had: the free of a dry run and of a shadow. */
final class Rehearsal implements Reclaimable<VolumeFile> {
    private final Removals removals;

    Rehearsal(Removals removals) {
        this.removals = removals;
    }

    @Override
    public Freed free(VolumeFile file) {
        Freed freed = new Freed(Outcome.FREED, file.bytes());
        removals.settled(file, freed);
        return freed;
    }
}
