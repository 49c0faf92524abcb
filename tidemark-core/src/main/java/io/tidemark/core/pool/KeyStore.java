package io.tidemark.core.pool;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Keys of the rows of one stripe, packed one after the other behind a length of one byte, in chunks of {@value #CHUNK}
 * bytes. Keys above {@value #LONG_KEY} bytes are kept as arrays of their own. Removed keys leave holes; a chunk that is more
 * than a third holes is to be {@linkplain #sparse packed}: its keys are added again, and it is free. So packing copies one
 * chunk, however many keys there are. Guarded by the stripe's lock.
 *
 * <p>Between calls of the stripe: no chunk but the last is more than a third holes, and each live row has one key here.
 */
final class KeyStore {
    /** No chunk. */
    static final int NONE = -1;

    private static final int LONG_KEY = 256;
    private static final int CHUNK_BITS = 13;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int LENGTH = 1;
    /** Position of a key that is kept as an array of its own. */
    private static final int APART = -1;

    private static final byte[] FREED = {};

    /** Is shown the keys of a chunk, removed ones too. */
    interface Visitor {
        void key(int position, byte[] key);
    }

    private byte[][] chunks = {};
    /** Number of chunks, freed ones too. */
    private int count = 0;
    /** End of the keys of each chunk, and bytes of removed ones among them. */
    private int[] ends = {};

    private int[] holes = {};
    private final Deque<Integer> freeNumbers = new ArrayDeque<>();
    private final Map<Integer, byte[]> longKeys = new HashMap<>();
    /** The chunk that keys are added to. */
    private int tail = NONE;

    private int sparse = NONE;

    /** Keeps a key for a row and answers its position. */
    int add(int row, byte[] key) {
        if (key.length > LONG_KEY) {
            longKeys.put(row, key);
            return APART;
        }
        return add(row, key, 0, key.length);
    }

    /** As above, the key that these bytes of an array are. */
    int add(int row, byte[] bytes, int from, int to) {
        int length = to - from;
        if (length > LONG_KEY) {
            return add(row, Arrays.copyOfRange(bytes, from, to));
        }
        if (tail == NONE || CHUNK - ends[tail] < LENGTH + length) {
            nextTail();
        }
        byte[] chunk = chunks[tail];
        int at = ends[tail];
        chunk[at] = (byte) (length - 1);
        System.arraycopy(bytes, from, chunk, at + LENGTH, length);
        ends[tail] = at + LENGTH + length;
        return (tail << CHUNK_BITS) | at;
    }

    /** Whether the key of a row is what these bytes of an array are. */
    boolean equals(int row, int position, byte[] bytes, int from, int to) {
        if (position == APART) {
            byte[] key = longKey(row);
            return Arrays.equals(key, 0, key.length, bytes, from, to);
        }
        byte[] chunk = chunks[position >>> CHUNK_BITS];
        int at = position & (CHUNK - 1);
        int length = length(chunk, at);
        return length == to - from && Arrays.equals(chunk, at + LENGTH, at + LENGTH + length, bytes, from, to);
    }

    byte[] get(int row, int position) {
        return position == APART ? longKey(row) : get(chunks[position >>> CHUNK_BITS], position & (CHUNK - 1));
    }

    void remove(int row, int position) {
        if (position == APART) {
            longKeys.remove(row);
        } else {
            int number = position >>> CHUNK_BITS;
            holes[number] += LENGTH + length(chunks[number], position & (CHUNK - 1));
            noteSparse(number);
        }
    }

    /** A chunk that is to be packed, or {@link #NONE}. */
    int sparse() {
        return sparse;
    }

    /** Frees the {@link #sparse} chunk, after it has shown its keys: those that count are added again by the visitor. */
    void pack(Visitor visitor) {
        int number = sparse;
        sparse = NONE;
        byte[] chunk = chunks[number];
        int end = ends[number];
        for (int at = 0; at < end; at += LENGTH + length(chunk, at)) {
            visitor.key((number << CHUNK_BITS) | at, get(chunk, at));
        }
        chunks[number] = FREED;
        freeNumbers.addLast(number);
    }

    private void noteSparse(int number) {
        if (number != tail && holes[number] * 3 > CHUNK) {
            sparse = number;
        }
    }

    private void nextTail() {
        int full = tail;
        tail = freeNumbers.isEmpty() ? newNumber() : freeNumbers.removeFirst();
        chunks[tail] = new byte[CHUNK];
        ends[tail] = 0;
        holes[tail] = 0;
        if (full != NONE) {
            noteSparse(full);
        }
    }

    private int newNumber() {
        if (count == chunks.length) {
            int length = count + 1 + (count >> 1);
            chunks = Arrays.copyOf(chunks, length);
            ends = Arrays.copyOf(ends, length);
            holes = Arrays.copyOf(holes, length);
        }
        return count++;
    }

    private byte[] longKey(int row) {
        byte[] key = longKeys.get(row);
        if (key == null) {
            throw new IllegalStateException("row " + row + " holds no long key");
        }
        return key;
    }

    private static byte[] get(byte[] bytes, int at) {
        return Arrays.copyOfRange(bytes, at + LENGTH, at + LENGTH + length(bytes, at));
    }

    /** Keys are 1 to 256 bytes long here, which a byte can tell. */
    private static int length(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) + 1;
    }
}
