package io.tidemark.core.pool;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The account of the heap that keys, rows of entries and unfinished puts take, with a cap: long keys and small values
 * fill it before they fill a medium. At the high mark blocks are evicted down to the low one; a put that does not fit is
 * refused. Estimates, on the high side. Thread-safe, takes no lock.
 */
final class IndexSpace {
    /** A row, its share of the table, and the row of its copy in a medium's table; its place in the order comes on top. */
    private static final long ENTRY_BYTES = 152;

    /** A put that is under way: the objects that stand for it. */
    private static final long PUT_BYTES = 320;

    /** Below the cap by this part of it. */
    private static final int HIGH_PART = 16;

    private static final int LOW_PART = 8;

    private final long limitBytes;
    /** Place of a copy in the order of its medium, the dearest of all media. */
    private final long orderBytes;

    private final AtomicLong used = new AtomicLong();
    /** What the last refused put asked for; 0 when one was granted since. */
    private volatile long wanted = 0;

    IndexSpace(long limitBytes, long orderBytes) {
        this.limitBytes = limitBytes;
        this.orderBytes = orderBytes;
    }

    /** What an entry with a key of this length takes: the store of keys may be a third holes. */
    long entryBytes(int keyBytes) {
        return ENTRY_BYTES + orderBytes + keyBytes + keyBytes / 2;
    }

    /** What an unfinished put takes, with the entry that it may become. */
    long putBytes(int keyBytes) {
        return PUT_BYTES + entryBytes(keyBytes);
    }

    long limitBytes() {
        return limitBytes;
    }

    /** What blocks of an earlier process may take: the low mark, so that none of them is evicted at once. */
    long recoverableBytes() {
        return limitBytes - limitBytes / LOW_PART;
    }

    long usedBytes() {
        return used.get();
    }

    /** Takes bytes for a put, or answers false and remembers what was wanted. */
    boolean reserve(long bytes) {
        if (used.addAndGet(bytes) <= limitBytes) {
            wanted = 0;
            return true;
        }
        used.addAndGet(-bytes);
        wanted = bytes;
        return false;
    }

    /** An entry came to be, within what its put reserved, or found at the start. */
    void taken(long bytes) {
        used.addAndGet(bytes);
    }

    void given(long bytes) {
        used.addAndGet(-bytes);
    }

    boolean atHighMark() {
        return used.get() >= limitBytes - limitBytes / HIGH_PART;
    }

    /** Whether the put that was refused last would be refused again. */
    boolean isShort() {
        long asked = wanted;
        return asked > 0 && used.get() + asked > limitBytes;
    }

    /** Bytes that have to go now. */
    long needBytes() {
        long now = used.get();
        long toLow = atHighMark() ? now - (limitBytes - limitBytes / LOW_PART) : 0;
        return Math.max(toLow, isShort() ? now + wanted - limitBytes : 0);
    }

    void show(CounterVisitor visitor) {
        visitor.gauge("tidemark_index_bytes", "Heap of keys, entries and unfinished puts.", (double) usedBytes());
        visitor.gauge("tidemark_index_limit_bytes", "Cap of tidemark_index_bytes.", (double) limitBytes);
    }
}
