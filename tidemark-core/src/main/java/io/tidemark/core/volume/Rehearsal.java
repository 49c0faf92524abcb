package io.tidemark.core.volume;

import io.tidemark.core.medium.Reclaimable;
import java.util.function.Consumer;

/** Removes nothing and answers as if it had, once for each file: the free of a dry run and of a shadow. */
final class Rehearsal implements Reclaimable<VolumeFile> {
    private final RehearsalBook book;
    private final Removals removals;
    private final Consumer<VolumeFile> settled;

    /**
     * A rehearsal.
     *
     * @param settled told about each file that has been dealt with
     */
    Rehearsal(RehearsalBook book, Removals removals, Consumer<VolumeFile> settled) {
        this.book = book;
        this.removals = removals;
        this.settled = settled;
    }

    @Override
    public Freed free(VolumeFile file) {
        if (!book.isNews(file)) {
            settled.accept(file);
            return Freed.GONE;
        }
        removals.goes(file, file.bytes());
        removals.went();
        book.enter(file);
        settled.accept(file);
        return new Freed(Outcome.FREED, file.bytes());
    }
}
