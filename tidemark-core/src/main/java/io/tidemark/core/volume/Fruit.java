package io.tidemark.core.volume;

/** Whether walks bear fruit: while deletion is on, what they find should go. One thread. */
final class Fruit {
    private final Governor governor;
    private final Removals removals;

    /** Files removed up to the end of the walk before. */
    private long removedBefore;

    Fruit(Governor governor, Removals removals) {
        this.governor = governor;
        this.removals = removals;
    }

    /** Says that a walk ended; whether deletion is on, and nothing has gone since the end of the walk before. */
    boolean missing() {
        long removed = removals.gone();
        boolean fruitless = governor.on() && removed == removedBefore;
        removedBefore = removed;
        return fruitless;
    }
}
