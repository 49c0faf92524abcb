package io.tidemark.core.pool;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One stripe of the index: entries by key, in an open-addressing table of row numbers, each with eight bits of the
 * key's hash. Every method needs {@link #lock}, the entry lock of all its entries.
 *
 * <p>A table doubles at three quarters full. That, and packing the keys, is work for this stripe's entries alone.
 */
final class EntryStripe {
    private static final int ROW_BITS = 24;
    private static final int ROW_MASK = (1 << ROW_BITS) - 1;
    private static final int STRIPE_BITS = 8;
    private static final int MIN_TABLE = 16;

    /** The entry lock; first in the lock order, and only one at a time. */
    final ReentrantLock lock = new ReentrantLock();

    final EntryRows rows = new EntryRows();
    private final KeyHash hash;
    private final IndexSpace space;
    private KeyStore keys = new KeyStore();
    /** Eight bits of hash over the row's number plus one; 0 is free. */
    private int[] table = new int[MIN_TABLE];

    private int size = 0;

    private final int number;

    EntryStripe(int number, KeyHash hash, IndexSpace space) {
        this.space = space;
        this.number = number;
        this.hash = hash;
    }

    /** Id of the entry in this row. */
    int entryId(int row) {
        return (row << STRIPE_BITS) | number;
    }

    /** Collects up to {@code limit} keys from a row on; answers the row to go on from. */
    int collect(int from, int limit, List<byte[]> into) {
        int row = from;
        for (int found = 0; row < rows.end() && found < limit; row++) {
            if (rows.live(row)) {
                into.add(key(row));
                found++;
            }
        }
        return row;
    }

    int size() {
        return size;
    }

    /** The row of the key, or {@link EntryRows#NONE}. The whole key is compared. */
    int find(byte[] key, long keyHash) {
        for (int at = home(keyHash); table[at] != 0; at = next(at)) {
            int row = (table[at] & ROW_MASK) - 1;
            if (table[at] >>> ROW_BITS == tag(keyHash) && keys.equals(row, rows.keyAt(row), key)) {
                return row;
            }
        }
        return EntryRows.NONE;
    }

    /** A new row for a key that has none. */
    int add(byte[] key, long keyHash, long generation) {
        if (size >= ROW_MASK - 1) {
            throw new IllegalStateException(
                    "a stripe of the index holds " + size + " entries; expected fewer than 2^24");
        }
        if ((size + 1) * 4L > table.length * 3L) {
            rebuildTable(table.length * 2);
        }
        int row = rows.addRow(generation);
        rows.setKeyAt(row, keys.add(row, key));
        place(keyHash, row);
        size++;
        space.taken(IndexSpace.entryBytes(key.length));
        return row;
    }

    /** Removes an entry whose last copy is gone. */
    void remove(int row) {
        byte[] key = key(row);
        long keyHash = hash.hash(key);
        int at = home(keyHash);
        while ((table[at] & ROW_MASK) - 1 != row) {
            at = next(at);
        }
        closeGap(at);
        keys.remove(row, rows.keyAt(row));
        rows.removeRow(row);
        size--;
        space.given(IndexSpace.entryBytes(key.length));
        if (keys.sparse()) {
            packKeys();
        }
    }

    byte[] key(int row) {
        return keys.get(row, rows.keyAt(row));
    }

    /** Moves later entries of the probe sequence up, so that no tombstones are needed. */
    private void closeGap(int gap) {
        int free = gap;
        for (int at = next(gap); table[at] != 0; at = next(at)) {
            int home = home(hash.hash(key((table[at] & ROW_MASK) - 1)));
            if (((at - home) & (table.length - 1)) >= ((at - free) & (table.length - 1))) {
                table[free] = table[at];
                free = at;
            }
        }
        table[free] = 0;
    }

    private void rebuildTable(int length) {
        int[] old = table;
        table = new int[length];
        for (int slot : old) {
            if (slot != 0) {
                int row = (slot & ROW_MASK) - 1;
                place(hash.hash(key(row)), row);
            }
        }
    }

    private void place(long keyHash, int row) {
        int at = home(keyHash);
        while (table[at] != 0) {
            at = next(at);
        }
        table[at] = (tag(keyHash) << ROW_BITS) | (row + 1);
    }

    private void packKeys() {
        KeyStore packed = new KeyStore();
        for (int row = 0; row < rows.end(); row++) {
            if (rows.live(row)) {
                rows.setKeyAt(row, packed.add(row, key(row)));
            }
        }
        keys = packed;
    }

    private int next(int at) {
        return (at + 1) & (table.length - 1);
    }

    private int home(long keyHash) {
        return (int) (keyHash >>> STRIPE_BITS) & (table.length - 1);
    }

    private static int tag(long keyHash) {
        return (int) (keyHash >>> 56);
    }
}
