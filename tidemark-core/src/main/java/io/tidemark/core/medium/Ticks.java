package io.tidemark.core.medium;

import java.util.Arrays;

/**
 * A growing array of ticks of 48 bits (nine years at a million a second) in chunks, so that growth neither copies nor
 * pauses. Elements start at 0. Guarded by the lock of its owner.
 */
final class Ticks {
    private static final int CHUNK_BITS = 13;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int MASK = CHUNK - 1;

    private static final class Chunk {
        final int[] low;
        final short[] high;

        Chunk(int length) {
            low = new int[length];
            high = new short[length];
        }
    }

    private static final Chunk ABSENT = new Chunk(0);

    private final Chunk[] chunks;

    /** An array that may grow to {@code limit} elements. */
    Ticks(int limit) {
        chunks = new Chunk[(int) (((long) limit + CHUNK - 1) >>> CHUNK_BITS)];
        Arrays.fill(chunks, ABSENT);
    }

    long get(int index) {
        Chunk chunk = chunks[index >>> CHUNK_BITS];
        return chunk == ABSENT
                ? 0
                : ((chunk.high[index & MASK] & 0xFFFFL) << Integer.SIZE) | (chunk.low[index & MASK] & 0xFFFF_FFFFL);
    }

    void set(int index, long tick) {
        int at = index >>> CHUNK_BITS;
        if (chunks[at] == ABSENT) {
            chunks[at] = new Chunk(CHUNK);
        }
        chunks[at].low[index & MASK] = (int) tick;
        chunks[at].high[index & MASK] = (short) (tick >>> Integer.SIZE);
    }
}
