package io.tidemark.core.pool;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One stripe of the index: rows of entries, their keys, and the table that finds a row by its key. Every method but
 * {@link #peek} needs {@link #lock}, the entry lock of all its entries.
 *
 * <p>Whenever the lock is free: every live row is found by its key and names at least one copy, no two rows have the same
 * key, and {@link #size} counts the live rows ({@link PoolInvariants} checks it).
 *
 * <p>All three grow and shrink in pieces of a few KiB, so that no call copies more than one of them.
 */
final class EntryStripe implements RowTable.Keys {
    private static final int STRIPE_BITS = 8;

    /** The entry lock; first in the lock order, and only one at a time, but for {@link Commits#commitTogether}. */
    final ReentrantLock lock = new ReentrantLock();

    final EntryRows rows = new EntryRows();
    private final int number;
    private final KeyHash hash;
    private final IndexSpace space;
    private final KeyStore keys = new KeyStore();
    private final RowTable table = new RowTable(this);
    private int size = 0;

    EntryStripe(int number, KeyHash hash, IndexSpace space) {
        this.number = number;
        this.hash = hash;
        this.space = space;
    }

    /** Id of the entry in this row. */
    int entryId(int row) {
        return (row << STRIPE_BITS) | number;
    }

    /** Collects up to {@code limit} keys of {@code most} rows from a row on; answers the row to go on from. */
    int collect(int from, int limit, int most, List<byte[]> into) {
        int row = from;
        for (int found = 0; row < rows.end() && row - from < most && found < limit; row++) {
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

    /** So many entries will be added to this stripe, which has none. */
    void expect(int entries) {
        table.expect(entries);
    }

    /** The row of the key, or {@link EntryRows#NONE}. The whole key is compared. */
    int find(byte[] key, long keyHash) {
        return table.find(key, keyHash);
    }

    /** As {@link #find(byte[], long)}, of the key that these bytes of an array are. */
    int find(byte[] bytes, int from, int to, long keyHash) {
        return table.find(bytes, from, to, keyHash);
    }

    /** See {@link RowTable#peek}: a hint, without the lock. */
    int peek(long keyHash) {
        return table.peek(keyHash);
    }

    /** A new row for a key that has none. */
    int add(byte[] key, long keyHash, long generation) {
        int row = adopt(key, keyHash, generation);
        space.taken(space.entryBytes(key.length));
        return row;
    }

    /** As {@link #add}; the caller tells the account of the index, of many rows at once. */
    int adopt(byte[] key, long keyHash, long generation) {
        return adopt(key, 0, key.length, keyHash, generation, 0, Place.NONE);
    }

    /**
     * As {@link #adopt(byte[], long, long)}, for the key that these bytes of an array are, and names its first copy, unless
     * the place is {@link Place#NONE}.
     */
    int adopt(byte[] bytes, int from, int to, long keyHash, long generation, long handle, int place) {
        if (size >= RowTable.ROWS_MAX - 1) {
            throw new IllegalStateException(
                    "a stripe of the index holds " + size + " entries; expected fewer than 2^24");
        }
        int row = rows.addRow(generation, handle, place);
        rows.setKeyAt(row, keys.add(row, bytes, from, to));
        table.add(row, keyHash);
        size++;
        packKeys();
        return row;
    }

    /** Removes an entry whose last copy is gone. */
    void remove(int row) {
        byte[] key = key(row);
        table.remove(row, hash.hash(key));
        keys.remove(row, rows.keyAt(row));
        rows.removeRow(row);
        size--;
        space.given(space.entryBytes(key.length));
        packKeys();
    }

    byte[] key(int row) {
        return keys.get(row, rows.keyAt(row));
    }

    @Override
    public boolean holds(int row, byte[] bytes, int from, int to) {
        return keys.equals(row, rows.keyAt(row), bytes, from, to);
    }

    @Override
    public long hash(int row) {
        return hash.hash(key(row));
    }

    /** Adds the keys of chunks that are mostly holes again; there is one at most, or its keys make another one. */
    private void packKeys() {
        while (keys.sparse() != KeyStore.NONE) {
            keys.pack((position, key) -> {
                int row = table.find(key, hash.hash(key));
                if (row != EntryRows.NONE && rows.keyAt(row) == position) {
                    rows.setKeyAt(row, keys.add(row, key));
                }
            });
        }
    }
}
