package io.tidemark.core.medium;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A growing array of ints in chunks, so that growth neither copies nor pauses. Elements start at 0.
 *
 * <p>Each element has one owner at a time, who may set it beside the owners of others. It is read by who learnt its index
 * from the writer, under the writer's lock or handed over by it. The directory never moves. A chunk may have been made by
 * another owner, whom neither of them knows: it is published with release and loaded with acquire.
 */
final class Ints {
    private static final int CHUNK_BITS = 13;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int MASK = CHUNK - 1;
    private static final int[] ABSENT = {};

    private final AtomicReferenceArray<int[]> chunks;

    /** An array that may grow to {@code limit} elements. */
    Ints(int limit) {
        chunks = new AtomicReferenceArray<>((int) (((long) limit + CHUNK - 1) >>> CHUNK_BITS));
        for (int at = 0; at < chunks.length(); at++) {
            chunks.setPlain(at, ABSENT);
        }
    }

    int get(int index) {
        int[] chunk = chunks.getAcquire(index >>> CHUNK_BITS);
        return chunk.length == 0 ? 0 : chunk[index & MASK];
    }

    void set(int index, int value) {
        int[] chunk = chunks.getAcquire(index >>> CHUNK_BITS);
        if (chunk.length == 0) {
            chunk = makeChunk(index >>> CHUNK_BITS);
        }
        chunk[index & MASK] = value;
    }

    /** Two who set elements beside each other may both find none. */
    private synchronized int[] makeChunk(int at) {
        int[] chunk = chunks.getAcquire(at);
        if (chunk.length == 0) {
            chunk = new int[CHUNK];
            chunks.setRelease(at, chunk);
        }
        return chunk;
    }
}
