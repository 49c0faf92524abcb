package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.concurrent.TimeUnit;

/** Files that may go now, at so many a second; what is not used is kept for a second. Guarded by itself. */
final class RateLimit {
    private final Clocks clocks;
    private final long perSecond;

    @GuardedBy("this")
    private double allowed;

    @GuardedBy("this")
    private long filledNanos;

    /**
     * A limit.
     *
     * @param perSecond files a second, 0 for no limit
     */
    RateLimit(Clocks clocks, long perSecond) {
        this.clocks = clocks;
        this.perSecond = perSecond;
        this.filledNanos = clocks.monotonicNanos();
        this.allowed = perSecond;
    }

    /** How many of {@code wanted} files may go now. */
    int allow(int wanted) {
        return perSecond == 0 ? wanted : earned(wanted);
    }

    private synchronized int earned(int wanted) {
        long now = clocks.monotonicNanos();
        double earned = (double) (now - filledNanos) * perSecond / TimeUnit.SECONDS.toNanos(1);
        allowed = Math.min((double) perSecond, allowed + earned);
        filledNanos = now;
        return (int) Math.min(wanted, Math.floor(allowed));
    }

    /** Counts a file that went. */
    void used() {
        if (perSecond > 0) {
            takeOne();
        }
    }

    private synchronized void takeOne() {
        allowed--;
    }
}
