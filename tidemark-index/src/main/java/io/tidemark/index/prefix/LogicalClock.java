package io.tidemark.index.prefix;

/**
 * The clock of recency: it counts accesses, not time, so that an order never depends on the machine. A tick leaves
 * room for {@value #STEPS} steps below it, which a match gives to the ancestors of the node it ends at.
 */
final class LogicalClock {
    /** Distinct stamps between two ticks. */
    static final long STEPS = 1L << 20;

    private long next = STEPS;

    /** A stamp later than all before. */
    long tick() {
        long now = next;
        next += STEPS;
        return now;
    }
}
