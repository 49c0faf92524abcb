package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.concurrent.TimeUnit;

/**
 * When the next walk is due: at once while deletion wants more files than are ready; else as far ahead as the volume's
 * growth allows, a quarter of the time until its mark is reached, between {@code passSeconds} and six hours. Guarded by
 * itself.
 */
final class PassSchedule {
    /** Percent below the cleanup mark from which walks go at full speed. */
    private static final double NEAR_PERCENT = 3;

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PERIOD_SECONDS_MAX = TimeUnit.HOURS.toSeconds(6);
    private static final double SMOOTHING = 0.05;

    private final long passSeconds;
    private final Thresholds thresholds;
    private final Clocks clocks;

    @GuardedBy("this")
    private double bytesPerSecond;

    @GuardedBy("this")
    private Usage usage = new Usage(0, 0, 0, 0);

    @GuardedBy("this")
    private long usageNanos;

    @GuardedBy("this")
    private long endedNanos;

    @GuardedBy("this")
    private long passNanos;

    @GuardedBy("this")
    private boolean whole;

    PassSchedule(long passSeconds, Thresholds thresholds, Clocks clocks) {
        this.passSeconds = passSeconds;
        this.thresholds = thresholds;
        this.clocks = clocks;
    }

    /** Takes in how full the volume is now. */
    synchronized void observe(Usage now) {
        long nanos = clocks.monotonicNanos();
        double seconds = (nanos - usageNanos) / 1e9;
        if (usage.totalBytes() > 0 && seconds > 0) {
            double growth = Math.max(0, now.usedBytes() - usage.usedBytes()) / seconds;
            bytesPerSecond += SMOOTHING * (growth - bytesPerSecond);
        }
        usage = now;
        usageNanos = nanos;
    }

    /** Says that a walk ended. */
    synchronized void passEnded(long tookNanos, boolean isWhole) {
        endedNanos = clocks.monotonicNanos();
        passNanos = tookNanos;
        whole = isWhole;
    }

    /** Whether the mark is near enough for a walk to be urgent. */
    synchronized boolean nearMark() {
        return usage.percent() >= thresholds.cleanup() - NEAR_PERCENT || secondsToMark() < 2 * passNanos / 1e9;
    }

    /** Whether a walk is due. */
    synchronized boolean due(boolean deleting, boolean enoughReady) {
        long since = clocks.monotonicNanos() - endedNanos;
        if (!whole) {
            return since >= Math.max(PAUSE_NANOS, 4 * passNanos);
        }
        if (deleting) {
            return !enoughReady && since >= Math.max(PAUSE_NANOS, passNanos / 4);
        }
        double quarter = secondsToMark() / 4;
        double period = Math.clamp(quarter, (double) passSeconds, (double) Math.max(passSeconds, PERIOD_SECONDS_MAX));
        return since >= period * 1e9;
    }

    @GuardedBy("this")
    private double secondsToMark() {
        double left = usage.totalBytes() * thresholds.cleanup() / 100 - usage.usedBytes();
        return left <= 0 ? 0 : left / Math.max(1, bytesPerSecond);
    }
}
