package io.tidemark.core.medium;

import java.util.Arrays;

/**
 * A growing array of ints in chunks, so that growth neither copies nor pauses. Elements start at 0.
 *
 * <p>Each element has one owner at a time, who may set it beside the owners of others. It is read by who learnt its index
 * from the writer, under the writer's lock or handed over by it. The directory never moves.
 */
final class Ints {
    private static final int CHUNK_BITS = 13;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int MASK = CHUNK - 1;
    private static final int[] ABSENT = {};

    private final int[][] chunks;

    /** An array that may grow to {@code limit} elements. */
    Ints(int limit) {
        chunks = new int[(int) (((long) limit + CHUNK - 1) >>> CHUNK_BITS)][];
        Arrays.fill(chunks, ABSENT);
    }

    int get(int index) {
        int[] chunk = chunks[index >>> CHUNK_BITS];
        return chunk.length == 0 ? 0 : chunk[index & MASK];
    }

    void set(int index, int value) {
        int at = index >>> CHUNK_BITS;
        if (chunks[at].length == 0) {
            makeChunk(at);
        }
        chunks[at][index & MASK] = value;
    }

    /** Two who set elements beside each other may both find none. */
    private synchronized void makeChunk(int at) {
        if (chunks[at].length == 0) {
            chunks[at] = new int[CHUNK];
        }
    }
}
