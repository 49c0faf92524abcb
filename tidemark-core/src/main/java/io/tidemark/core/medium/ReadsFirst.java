package io.tidemark.core.medium;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Lets reads of a device pass its writes, which are all made in the background: a read waits in the device behind every byte
 * that was given to it before. While a device is read, writes go in pieces of {@value #PIECE_BYTES} bytes,
 * {@value #WRITES_AT_ONCE} at a time; else as they come.
 *
 * <p>Thread-safe; its lock is a leaf. A read costs one volatile write at each end.
 */
final class ReadsFirst {
    static final long PIECE_BYTES = 256 << 10;
    static final int WRITES_AT_ONCE = 2;

    /** Reads that come one after the other leave gaps: a device counts as being read for so long. */
    static final long RECENT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** A write waits so long for its turn, whatever keeps the others: their device may hang. */
    static final long TURN_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(100);

    private final LongSupplier nanoClock;
    private final AtomicInteger reading = new AtomicInteger();
    private volatile long lastReadNanos;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    /** Guarded by the lock. */
    private int writing;

    ReadsFirst(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        lastReadNanos = nanoClock.getAsLong() - RECENT_NANOS;
    }

    void readBegins() {
        reading.incrementAndGet();
    }

    void readEnds() {
        lastReadNanos = nanoClock.getAsLong();
        reading.decrementAndGet();
    }

    private boolean isRead() {
        return reading.get() > 0 || nanoClock.getAsLong() - lastReadNanos < RECENT_NANOS;
    }

    /** Bytes of a write that may go in one call now. */
    long callBytesMax() {
        return isRead() ? PIECE_BYTES : Long.MAX_VALUE;
    }

    /** A call that writes waits for its turn; {@link #writeEnds} follows. */
    void writeBegins() {
        lock.lock();
        try {
            long end = nanoClock.getAsLong() + TURN_NANOS_MAX;
            long left = TURN_NANOS_MAX;
            while (writing >= WRITES_AT_ONCE && left > 0 && isRead()) {
                ended.awaitNanos(Math.min(left, RECENT_NANOS));
                left = end - nanoClock.getAsLong();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it goes without a turn
        } finally {
            writing++;
            lock.unlock();
        }
    }

    void writeEnds() {
        lock.lock();
        try {
            writing--;
            ended.signal();
        } finally {
            lock.unlock();
        }
    }
}
