package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.concurrent.TimeUnit;

/**
 * When the activator looks at the volume: once an interval, and before its time when the conductor asks because a walk has
 * found the cache, or a deleter because what may be freed is used up. So start and end of deletion wait for no interval.
 * Near the mark looks come up to {@value #NEAR_PARTS} times as often, as far as they cost little: a volume that is filled
 * fast would otherwise be half an interval above its mark, on the average, before anything happens. Guarded by itself.
 */
final class EarlyLook {
    /** Looks an interval while the mark is near. */
    static final int NEAR_PARTS = 16;

    /** How much longer than the last look took the next one has to wait. */
    private static final int REST = 10;

    private final Clocks clocks;
    private final long intervalNanos;

    @GuardedBy("this")
    private boolean asked;

    @GuardedBy("this")
    private long dueNanos;

    /** The first look is due at once. */
    EarlyLook(Clocks clocks, long intervalNanos) {
        this.clocks = clocks;
        this.intervalNanos = intervalNanos;
        this.dueNanos = clocks.monotonicNanos();
    }

    /**
     * Says what a look has shown; the next may be due sooner then.
     *
     * @param near deletion may have to start soon
     * @param tookNanos what the look took
     */
    synchronized void looked(boolean near, long tookNanos) {
        if (near) {
            long soon = Math.clamp(REST * tookNanos, intervalNanos / NEAR_PARTS, intervalNanos);
            dueNanos = Math.min(dueNanos, clocks.monotonicNanos() + soon);
        }
    }

    synchronized void ask() {
        asked = true;
        notifyAll();
    }

    /** Waits until a look is due, {@code millis} at most; whether one is. The next is due an interval later. */
    synchronized boolean await(long millis) throws InterruptedException {
        long end = clocks.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        long left = Math.min(end, dueNanos) - clocks.monotonicNanos();
        while (!asked && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = Math.min(end, dueNanos) - clocks.monotonicNanos();
        }
        boolean due = asked || dueNanos - clocks.monotonicNanos() <= 0;
        if (due) {
            asked = false;
            dueNanos = clocks.monotonicNanos() + intervalNanos;
        }
        return due;
    }
}
