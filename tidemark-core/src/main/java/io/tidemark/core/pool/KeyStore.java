package io.tidemark.core.pool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keys of the rows of one stripe, packed one after the other behind a length of one byte. Keys above
 * {@value #LONG_KEY} bytes are kept as arrays of their own. Removed keys leave holes; the stripe packs the store again
 * when {@link #sparse} says so. Guarded by the stripe's lock.
 */
final class KeyStore {
    private static final int LONG_KEY = 256;
    private static final int CHUNK_BITS = 13;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int LENGTH = 1;
    /** Position of a key that is kept as an array of its own. */
    private static final int APART = -1;

    private final List<byte[]> chunks = new ArrayList<>();
    private final Map<Integer, byte[]> longKeys = new HashMap<>();
    private int end = 0;
    private long holes = 0;

    /** Keeps a key for a row and answers its position. */
    int add(int row, byte[] key) {
        if (key.length > LONG_KEY) {
            longKeys.put(row, key);
            return APART;
        }
        int need = LENGTH + key.length;
        if ((long) chunks.size() * CHUNK - end < need) {
            holes += (long) chunks.size() * CHUNK - end;
            end = chunks.size() * CHUNK;
            chunks.add(new byte[CHUNK]);
        }
        int position = end;
        byte[] chunk = chunks.getLast();
        int at = position & (CHUNK - 1);
        chunk[at] = (byte) (key.length - 1);
        System.arraycopy(key, 0, chunk, at + LENGTH, key.length);
        end += need;
        return position;
    }

    boolean equals(int row, int position, byte[] key) {
        if (position == APART) {
            return Arrays.equals(longKey(row), key);
        }
        byte[] chunk = chunks.get(position >>> CHUNK_BITS);
        int from = (position & (CHUNK - 1)) + LENGTH;
        return length(chunk, from - LENGTH) == key.length
                && Arrays.equals(chunk, from, from + key.length, key, 0, key.length);
    }

    byte[] get(int row, int position) {
        if (position == APART) {
            return longKey(row);
        }
        byte[] chunk = chunks.get(position >>> CHUNK_BITS);
        int from = (position & (CHUNK - 1)) + LENGTH;
        return Arrays.copyOfRange(chunk, from, from + length(chunk, from - LENGTH));
    }

    void remove(int row, int position) {
        if (position == APART) {
            longKeys.remove(row);
        } else {
            holes += LENGTH + length(chunks.get(position >>> CHUNK_BITS), position & (CHUNK - 1));
        }
    }

    /** Whether more than a third of the store is holes. */
    boolean sparse() {
        return holes > CHUNK && holes * 3 > end;
    }

    private byte[] longKey(int row) {
        byte[] key = longKeys.get(row);
        if (key == null) {
            throw new IllegalStateException("row " + row + " holds no long key");
        }
        return key;
    }

    /** Keys are 1 to 256 bytes long here, which a byte can tell. */
    private static int length(byte[] chunk, int at) {
        return (chunk[at] & 0xFF) + 1;
    }
}
