package io.tidemark.index.replay;

/**
 * How much a simulated cache holds and when it evicts.
 *
 * @param capacity blocks at most
 * @param trigger used blocks at or above which a store makes the cache drain
 * @param target used blocks down to which it drains
 */
record Room(int capacity, int trigger, int target) {
    /** Evicts only what a store needs. */
    static Room exact(int capacity) {
        return new Room(capacity, Integer.MAX_VALUE, capacity);
    }

    /** Evicts as a server with watermarks does. */
    static Room withMarks(int capacity, Marks marks) {
        int trigger = (int) Math.ceil(marks.high() * capacity);
        int target = (int) Math.floor(marks.low() * capacity);
        return new Room(capacity, Math.max(trigger, 1), target);
    }

    boolean mustDrain(int used) {
        return used >= trigger;
    }
}
