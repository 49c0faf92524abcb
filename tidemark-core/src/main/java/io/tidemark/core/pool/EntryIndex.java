package io.tidemark.core.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * All entries by key, in {@value #STRIPES} stripes. An entry's id is row and stripe: an {@code int} that a medium's
 * table of copies can carry as the owner of a copy. An id may be reused; who holds one checks under the entry lock that
 * the entry still names the copy.
 */
final class EntryIndex {
    static final int STRIPES = 256;
    private static final int STRIPE_BITS = 8;
    private static final int CURSOR_SHIFT = 32;
    /** Rows that a scan looks at for each key it was asked for. */
    private static final int ROWS_A_KEY = 64;

    private final EntryStripe[] stripes = new EntryStripe[STRIPES];
    private final KeyHash hash;

    EntryIndex(KeyHash hash, IndexSpace space) {
        this.hash = hash;
        for (int number = 0; number < STRIPES; number++) {
            stripes[number] = new EntryStripe(number, hash, space);
        }
    }

    long hash(BlockKey key) {
        return hash.hash(key.bytes());
    }

    /** Hash of the key that these bytes of an array are. */
    long hash(byte[] bytes, int from, int to) {
        return hash.hash(bytes, from, to);
    }

    EntryStripe stripe(long keyHash) {
        return stripes[stripeNumber(keyHash)];
    }

    /** Number of the stripe of a hash: several stripes are locked in rising order. */
    int stripeNumber(long keyHash) {
        return (int) keyHash & (STRIPES - 1);
    }

    EntryStripe stripe(int number) {
        return stripes[number];
    }

    /** The stripe of an entry id. */
    EntryStripe stripeOf(int entry) {
        return stripes[entry & (STRIPES - 1)];
    }

    /** The row of an entry id. */
    static int rowOf(int entry) {
        return entry >>> STRIPE_BITS;
    }

    /** About so many entries will be added to this index, which has none: room is made at once instead of step by step. */
    void expect(long entries) {
        for (EntryStripe stripe : stripes) {
            stripe.lock.lock();
            try {
                stripe.expect((int) Math.min(RowTable.ROWS_MAX, Math.ceilDiv(entries, (long) STRIPES)));
            } finally {
                stripe.lock.unlock();
            }
        }
    }

    /** Number of entries; exact at quiescence. */
    long size() {
        long sum = 0;
        for (EntryStripe stripe : stripes) {
            stripe.lock.lock();
            try {
                sum += stripe.size();
            } finally {
                stripe.lock.unlock();
            }
        }
        return sum;
    }

    /**
     * Shows up to {@code count} keys from a cursor on, outside the locks; answers the next cursor, 0 at the end. Rows
     * never move, so an entry that stays is shown exactly once in a scan. Rows without an entry are passed by, but no more
     * than {@value #ROWS_A_KEY} for each key asked for: then fewer keys, or none, are shown before the end.
     */
    long scan(long cursor, int count, Consumer<byte[]> keys) {
        int number = (int) (cursor >>> CURSOR_SHIFT) & (STRIPES - 1);
        int row = Math.max(0, (int) cursor);
        List<byte[]> found = new ArrayList<>();
        int rowsLeft = Math.clamp((long) ROWS_A_KEY * count, ROWS_A_KEY, Integer.MAX_VALUE);
        while (number < STRIPES && rowsLeft > 0 && found.size() < Math.max(1, count)) {
            EntryStripe stripe = stripes[number];
            stripe.lock.lock();
            try {
                int next = stripe.collect(row, Math.max(1, count) - found.size(), rowsLeft, found);
                rowsLeft -= next - row;
                row = next;
                if (row >= stripe.rows.end()) {
                    number++;
                    row = 0;
                }
            } finally {
                stripe.lock.unlock();
            }
        }
        found.forEach(keys);
        return number == STRIPES ? 0 : ((long) number << CURSOR_SHIFT) | row;
    }
}
