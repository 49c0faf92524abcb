package io.tidemark.core.medium;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Pages of the slab behind which the file system had no room when they were written. They are out of use, and tried again
 * every second: what a full disk took comes back when it is full no more. For a second after such a write nothing else is
 * tried, so that a moment of that costs a block or two and not all that is free.
 *
 * <p>Thread-safe; its monitor stands above those of ledger and allocator, and is not held over a write.
 */
final class LostPages {
    /** One turn writes this much at most: its thread has ends of blocks and checkpoints to write as well. */
    static final long TURN_BYTES = 8 << 20;

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final System.Logger LOG = System.getLogger(LostPages.class.getName());

    /** An allocation, and how much from its beginning has room behind it by now. */
    private record Lost(int first, Extents extents, long bytes, long backedBytes) {
        long leftBytes() {
            return bytes - backedBytes;
        }
    }

    /** Writes over a range of an allocation. */
    interface Trial {
        void write(Extents extents, long offset, long bytes) throws IOException;
    }

    private final String name;
    private final PageRunAllocator allocator;
    private final Ledger ledger;
    private final LongSupplier nanoClock;
    private final Deque<Lost> lost = new ArrayDeque<>();
    private long lostBytes;
    private long pauseUntil;
    private long nextTry;

    LostPages(String name, PageRunAllocator allocator, Ledger ledger, LongSupplier nanoClock) {
        this.name = name;
        this.allocator = allocator;
        this.ledger = ledger;
        this.nanoClock = nanoClock;
        pauseUntil = nanoClock.getAsLong();
        nextTry = pauseUntil;
    }

    /** Takes over the pages of a reservation, which is no more. */
    synchronized void add(int first, Extents extents, long bytes) {
        if (lost.isEmpty()) {
            LOG.log(System.Logger.Level.WARNING, "{0}: the file system has no room behind its slab; tried again", name);
        }
        ledger.lost(bytes);
        lost.addLast(new Lost(first, extents, bytes, 0));
        lostBytes += bytes;
        pauseUntil = nanoClock.getAsLong() + PAUSE_NANOS;
        nextTry = pauseUntil;
    }

    /** Whether a write has just found no room. */
    synchronized boolean isFresh() {
        return !lost.isEmpty() && pauseUntil - nanoClock.getAsLong() > 0;
    }

    synchronized long bytes() {
        return lostBytes;
    }

    /**
     * Tries some, and puts those that can be written back into use; ends at the first that cannot. One thread does that.
     *
     * @return whether more is left that can be tried at once
     */
    boolean tryAgain(Trial trial) throws IOException {
        long left = TURN_BYTES;
        Optional<Lost> next = next();
        while (next.isPresent() && left > 0) {
            Lost tried = next.get();
            long bytes = Math.min(left, tried.leftBytes());
            try {
                trial.write(tried.extents(), tried.backedBytes(), bytes);
            } catch (SysException e) {
                pause();
                if (Errno.isFull(e.errno())) {
                    return false;
                }
                throw e;
            }
            left -= bytes;
            backed(tried, bytes);
            next = next();
        }
        return next.isPresent();
    }

    private synchronized Optional<Lost> next() {
        return nextTry - nanoClock.getAsLong() > 0 ? Optional.empty() : Optional.ofNullable(lost.peekFirst());
    }

    private synchronized void pause() {
        nextTry = nanoClock.getAsLong() + PAUSE_NANOS;
    }

    private synchronized void backed(Lost tried, long bytes) {
        lost.removeFirst();
        if (bytes < tried.leftBytes()) {
            lost.addFirst(new Lost(tried.first(), tried.extents(), tried.bytes(), tried.backedBytes() + bytes));
            return;
        }
        lostBytes -= tried.bytes();
        allocator.free(tried.first());
        ledger.touched(tried.bytes());
        if (lost.isEmpty()) {
            LOG.log(System.Logger.Level.WARNING, "{0}: the file system has room again behind all of its slab", name);
        }
    }
}
