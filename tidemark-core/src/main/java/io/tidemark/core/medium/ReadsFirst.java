package io.tidemark.core.medium;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Lets reads of a device pass its writes, which are all made in the background: a read waits in the device behind every byte
 * that was given to it before. While a device is read, one writer has its turn, in the order of their coming, and its
 * calls have as many bytes as are being read, {@link #PIECE_BYTES_MIN} to {@link #PIECE_BYTES_MAX}. Two writers have it, with the
 * largest pieces, while more than such a piece is being read, and while the space that writes give elsewhere is short. Else
 * writes go as they come.
 *
 * <p>A turn lasts for about 1 MiB, not for one call: each change of the writer wakes a thread, which takes a processor from those
 * who read.
 *
 * <p>Thread-safe; below its lock there is what says that space is short. A read costs one change of a counter at each end.
 */
final class ReadsFirst {
    static final long PIECE_BYTES_MIN = 64 << 10;
    static final long PIECE_BYTES_MAX = 256 << 10;
    private static final int WRITERS_MAX = 2;

    /** Reads that come one after the other leave gaps: a device counts as being read for so long. */
    static final long RECENT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** A write waits so long for its turn, whatever keeps the others: their device may hang. */
    static final long TURN_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoClock;
    private volatile BooleanSupplier hurried = () -> false;
    private final AtomicLong reading = new AtomicLong();
    private volatile long lastReadNanos;

    private final ReentrantLock lock = new ReentrantLock();
    /** Who waits for a turn, the first one first. Guarded by the lock, as is the rest. */
    private final Deque<Condition> waiting = new ArrayDeque<>();

    private int writers;

    ReadsFirst(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        lastReadNanos = nanoClock.getAsLong() - RECENT_NANOS;
    }

    /** See {@link HurriedWrites#hurryWhile}. */
    void hurryWhile(BooleanSupplier wanted) {
        hurried = wanted;
    }

    void readBegins(long bytes) {
        reading.addAndGet(bytes);
    }

    void readEnds(long bytes) {
        lastReadNanos = nanoClock.getAsLong();
        reading.addAndGet(-bytes);
    }

    private boolean isRead() {
        return reading.get() > 0 || nanoClock.getAsLong() - lastReadNanos < RECENT_NANOS;
    }

    /** Whether the most is written that may be while the device is read. */
    private boolean isMost() {
        return reading.get() > PIECE_BYTES_MAX || hurried.getAsBoolean();
    }

    /** Bytes of a write that may go in one call now. */
    long callBytesMax() {
        if (!isRead()) {
            return Long.MAX_VALUE;
        }
        return isMost() ? PIECE_BYTES_MAX : Slab.alignDown(Math.clamp(reading.get(), PIECE_BYTES_MIN, PIECE_BYTES_MAX));
    }

    /** Waits for a turn to write; {@link #turnEnds} follows. */
    void turnBegins() {
        lock.lock();
        try {
            Condition mine = lock.newCondition();
            waiting.addLast(mine);
            try {
                await(mine);
            } finally {
                waiting.remove(mine);
                writers++;
                wakeFirst(); // there may be room for another one
            }
        } finally {
            lock.unlock();
        }
    }

    private void await(Condition mine) {
        long end = nanoClock.getAsLong() + TURN_NANOS_MAX;
        long left = TURN_NANOS_MAX;
        try {
            while (left > 0 && !mayGo(mine)) {
                mine.awaitNanos(Math.min(left, RECENT_NANOS));
                left = end - nanoClock.getAsLong();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it goes without a turn
        }
    }

    private boolean mayGo(Condition who) {
        return !isRead() || (waiting.getFirst().equals(who) && writers < (isMost() ? WRITERS_MAX : 1));
    }

    void turnEnds() {
        lock.lock();
        try {
            writers--;
            wakeFirst();
        } finally {
            lock.unlock();
        }
    }

    private void wakeFirst() {
        if (!waiting.isEmpty()) {
            waiting.getFirst().signal();
        }
    }
}
