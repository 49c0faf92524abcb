package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.concurrent.TimeUnit;

/**
 * How fast crawlers may go: as fast as they can while it is urgent, else one part work and {@link #REST_PARTS} parts
 * rest. Guarded by itself.
 */
final class Pace {
    private static final int REST_PARTS = 3;
    private static final long REST_MILLIS_MAX = 200;

    @GuardedBy("this")
    private boolean urgent = true;

    private volatile boolean stopping;

    private final Clocks clocks;
    private volatile long progressNanos;

    Pace(Clocks clocks) {
        this.clocks = clocks;
        this.progressNanos = clocks.monotonicNanos();
    }

    /** Says that a crawler got on. */
    void progress() {
        progressNanos = clocks.monotonicNanos();
    }

    /** Time since any crawler got on. */
    long sinceProgressNanos() {
        return clocks.monotonicNanos() - progressNanos;
    }

    synchronized void urgent(boolean isUrgent) {
        urgent = isUrgent;
        notifyAll();
    }

    /** Ends every rest, now and from here on. */
    synchronized void stop() {
        stopping = true;
        notifyAll();
    }

    boolean stopping() {
        return stopping;
    }

    /** Rests for the time that the work since {@code startNanos} is worth. */
    synchronized void rest(long workedNanos) throws InterruptedException {
        long millis = Math.min(REST_MILLIS_MAX, TimeUnit.NANOSECONDS.toMillis(workedNanos * REST_PARTS));
        long end = clocks.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!urgent && !stopping && clocks.monotonicNanos() - end < 0) {
            TimeUnit.NANOSECONDS.timedWait(this, end - clocks.monotonicNanos());
        }
    }
}
