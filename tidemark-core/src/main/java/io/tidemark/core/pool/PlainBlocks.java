package io.tidemark.core.pool;

import java.util.Arrays;

/**
 * Blocks of an earlier process, each of one part that lives for ever, that wait to be added to the index together: what is
 * looked for lies anywhere in it, and looking for all of them before the first one is needed lets the processor wait for
 * memory once and not each time. Of one thread.
 */
final class PlainBlocks {
    /** Longer keys are not for this class. */
    static final int KEY_BYTES_MAX = 256;

    private static final int MOST = 64;
    private static final int KEYS_BYTES = MOST * KEY_BYTES_MAX;

    final byte[] keys = new byte[KEYS_BYTES];
    /** Where the key of each ends. */
    final int[] ends = new int[MOST];

    final long[] hashes = new long[MOST];
    final long[] copies = new long[MOST];
    final long[] generations = new long[MOST];
    final long[] lengths = new long[MOST];
    private int size;
    /** Keeps what was looked at from being left out by a compiler. */
    int seen;

    int size() {
        return size;
    }

    boolean isFull() {
        return size == MOST;
    }

    void add(long copy, byte[] array, int from, int to, long hash, long generation, long lengthBytes) {
        int at = size++;
        int keyAt = keyAt(at);
        System.arraycopy(array, from, keys, keyAt, to - from);
        ends[at] = keyAt + to - from;
        hashes[at] = hash;
        copies[at] = copy;
        generations[at] = generation;
        lengths[at] = lengthBytes;
    }

    /** Looks at the places in the index where the keys will be looked for, without a lock: others may add rows there meanwhile. */
    void peek(EntryIndex index) {
        for (int at = 0; at < size; at++) {
            seen += index.stripe(hashes[at]).peek(hashes[at]);
        }
    }

    /** Where a key begins. */
    int keyAt(int at) {
        return at == 0 ? 0 : ends[at - 1];
    }

    BlockKey key(int at) {
        return BlockKey.of(Arrays.copyOfRange(keys, keyAt(at), ends[at]));
    }

    void clear() {
        size = 0;
    }
}
