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
 * <p>Thread-safe; its monitor is a leaf, and is not held over a write.
 */
final class LostPages {
    /** Allocations that one turn tries at most. */
    private static final int TRIES = 64;

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final System.Logger LOG = System.getLogger(LostPages.class.getName());

    private record Lost(int first, Extents extents, long bytes) {}

    /** Writes over all pages of an allocation. */
    interface Trial {
        void write(Extents extents, long bytes) throws IOException;
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
        lost.addLast(new Lost(first, extents, bytes));
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

    /** Tries some, and puts those that can be written back into use; ends at the first that cannot. */
    void tryAgain(Trial trial) throws IOException {
        Optional<Lost> next = next();
        for (int tries = 0; next.isPresent() && tries < TRIES; tries++) {
            try {
                trial.write(next.get().extents(), next.get().bytes());
            } catch (SysException e) {
                pause();
                if (e.errno() == Errno.ENOSPC) {
                    return;
                }
                throw e;
            }
            found(next.get());
            next = next();
        }
    }

    private synchronized Optional<Lost> next() {
        return nextTry - nanoClock.getAsLong() > 0 ? Optional.empty() : Optional.ofNullable(lost.peekFirst());
    }

    private synchronized void pause() {
        nextTry = nanoClock.getAsLong() + PAUSE_NANOS;
    }

    private synchronized void found(Lost back) {
        lost.remove(back);
        lostBytes -= back.bytes();
        allocator.free(back.first());
        ledger.touched(back.bytes());
        if (lost.isEmpty()) {
            LOG.log(System.Logger.Level.WARNING, "{0}: the file system has room again behind all of its slab", name);
        }
    }
}
