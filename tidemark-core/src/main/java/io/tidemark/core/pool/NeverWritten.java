package io.tidemark.core.pool;

/**
 * Hashes of the keys of copies whose end is never written, because their device takes no writes: each one by itself, so that
 * no other key is held up for good. Bounded. The monitor is a leaf below the entry locks.
 */
final class NeverWritten {
    private static final int FIRST_SLOTS = 1 << 10;
    /** 2 to the 64 by the golden ratio: spreads what differs in a few bits. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final int most;
    /** Open addressing, at most half of it taken; 0 is free. */
    private long[] slots = {};

    private volatile int count = 0;

    NeverWritten(int most) {
        this.most = most;
    }

    /** Remembers a key for good; false: there is no room for one more. */
    synchronized boolean add(long hash) {
        if (contains(hash)) {
            return true;
        }
        if (count == most || (2 * (count + 1) > slots.length && !grow())) {
            return false;
        }
        slots[place(slots, named(hash))] = named(hash);
        int more = count + 1;
        count = more;
        return true;
    }

    boolean contains(long hash) {
        return count > 0 && isThere(named(hash));
    }

    boolean isEmpty() {
        return count == 0;
    }

    private synchronized boolean isThere(long name) {
        return slots[place(slots, name)] == name;
    }

    /** False: no memory, which is as if the bound were reached. */
    private boolean grow() {
        try {
            long[] larger = new long[Math.max(FIRST_SLOTS, 2 * slots.length)];
            for (long name : slots) {
                if (name != 0) {
                    larger[place(larger, name)] = name;
                }
            }
            slots = larger;
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    /** Where it is, or would be. */
    private static int place(long[] slots, long name) {
        int at = (int) ((name * SPREAD) >>> Integer.SIZE) & (slots.length - 1);
        while (slots[at] != 0 && slots[at] != name) {
            at = (at + 1) & (slots.length - 1);
        }
        return at;
    }

    /** One key in 2 to the 64 shares its name with another one. */
    private static long named(long hash) {
        return hash == 0 ? SPREAD : hash;
    }
}
