package io.tidemark.core.medium;

import java.util.Arrays;

/**
 * A growing array of longs in chunks, so that growth neither copies nor pauses. Elements start at 0.
 *
 * <p>Not thread-safe: an element is read by who learnt its index from the writer, under the writer's lock or handed
 * over by it. The directory never moves.
 */
final class Longs {
    private static final int CHUNK_BITS = 13;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int MASK = CHUNK - 1;
    private static final long[] ABSENT = {};

    private final long[][] chunks;

    /** An array that may grow to {@code limit} elements. */
    Longs(int limit) {
        chunks = new long[(int) (((long) limit + CHUNK - 1) >>> CHUNK_BITS)][];
        Arrays.fill(chunks, ABSENT);
    }

    long get(int index) {
        long[] chunk = chunks[index >>> CHUNK_BITS];
        return chunk.length == 0 ? 0 : chunk[index & MASK];
    }

    void set(int index, long value) {
        int at = index >>> CHUNK_BITS;
        if (chunks[at].length == 0) {
            chunks[at] = new long[CHUNK];
        }
        chunks[at][index & MASK] = value;
    }
}
