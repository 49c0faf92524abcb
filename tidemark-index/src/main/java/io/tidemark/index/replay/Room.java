package io.tidemark.index.replay;

/**
 * How much a simulated cache holds and when it evicts, in blocks, each of them one, or in bytes.
 *
 * @param capacity what it holds at most
 * @param trigger what is used at or above which a store makes the cache drain
 * @param target what is used down to which it drains
 * @param weights what a block takes
 */
record Room(long capacity, long trigger, long target, Weights weights) {
    /** Evicts only what a store needs. */
    static Room exact(long capacity, Weights weights) {
        return new Room(capacity, Long.MAX_VALUE, capacity, weights);
    }

    /** Evicts as a server with watermarks does. */
    static Room withMarks(long capacity, Weights weights, Marks marks) {
        long trigger = (long) Math.ceil(marks.high() * capacity);
        long target = (long) Math.floor(marks.low() * capacity);
        return new Room(capacity, Math.max(trigger, 1), target, weights);
    }

    boolean mustDrain(long used) {
        return used >= trigger;
    }

    /** What the block takes of the room. */
    long weight(int block) {
        return weights.of(block);
    }

    /** How many blocks of average size the room holds, at least one. */
    int blocks() {
        return Math.clamp(capacity / weights.average(), 1, Integer.MAX_VALUE);
    }

    /** The end of the part of a request, from its root on, that the room can hold at once. */
    int endOfFitting(Trace trace, int request) {
        long left = capacity;
        int at = trace.start(request);
        while (at < trace.end(request) && weight(trace.block(at)) <= left) {
            left -= weight(trace.block(at));
            at++;
        }
        return at;
    }
}
