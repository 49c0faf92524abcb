package io.tidemark.index.policy;

/**
 * How long an order that lost a window of a duel follows the other one: a window at first, and each time twice as many as the
 * last time, until it has got through a window without losing it.
 */
public final class Truce {
    private final int longestWindows;
    private int windows;
    private int nextWindows = 1;

    /** A truce that is not on; it lasts so many windows at most. */
    public Truce(int longestWindows) {
        this.longestWindows = longestWindows;
    }

    /** A window has ended; {@code lost} counts where no truce was on. */
    public void windowEnded(boolean lost) {
        if (windows > 0) {
            windows--;
        } else if (lost) {
            windows = nextWindows;
            nextWindows = Math.min(longestWindows, nextWindows * 2);
        } else {
            nextWindows = 1;
        }
    }

    /** Whether the other order is followed from now on. */
    public boolean isOn() {
        return windows > 0;
    }
}
