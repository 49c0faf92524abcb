package io.tidemark.core.volume;

import java.util.OptionalLong;

/** How far a rehearsal can come: it ends once a whole walk has found nothing more that might go. */
final class RehearsalReach {
    private final RehearsalBook rehearsal;
    private final ReadyBuffer ready;
    private final Cutoffs cutoffs;
    private final Activator activator;
    private final EarlyLook early;

    RehearsalReach(RehearsalBook rehearsal, ReadyBuffer ready, Cutoffs cutoffs, Activator activator, EarlyLook early) {
        this.rehearsal = rehearsal;
        this.ready = ready;
        this.cutoffs = cutoffs;
        this.activator = activator;
        this.early = early;
    }

    /**
     * Says that a walk has gone over everything.
     *
     * @param fruitless deletion is on, and nothing went since the walk before
     */
    void walked(boolean fruitless) {
        rehearsal.walkEnded();
        OptionalLong youngest = cutoffs.youngestStampSeconds();
        if (fruitless && youngest.isPresent() && !ready.offers(youngest.getAsLong())) {
            activator.nothingMore();
            early.ask();
        }
    }
}
