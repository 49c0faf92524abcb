package io.tidemark.core.volume;

/** Whether walks bring deletion on: while it is on, what they find should go. One thread. */
final class WalkProgress {
    private final Governor governor;
    private final Removals removals;
    private final VolumeRefusals refusals;

    /** Files removed up to the end of the walk before. */
    private long removedBefore;

    WalkProgress(Governor governor, Removals removals, VolumeRefusals refusals) {
        this.governor = governor;
        this.removals = removals;
        this.refusals = refusals;
    }

    /**
     * Says that a walk ended; whether deletion is on, and nothing has gone since the end of the walk before. While the volume
     * refuses removals that says nothing of what walks find.
     */
    boolean missing() {
        long removed = removals.gone();
        boolean fruitless = governor.on() && removed == removedBefore && !refusals.lasts();
        removedBefore = removed;
        return fruitless;
    }
}
