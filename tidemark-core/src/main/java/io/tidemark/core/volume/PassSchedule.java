package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.concurrent.TimeUnit;

/**
 * When the next walk is due: at once while deletion wants more files than are ready, or colder ones, whether the last walk was whole or
 * not; else as far ahead as the volume's growth allows, a quarter of the time until its mark is reached, between
 * {@code passSeconds} and six hours. Deletion that goes on for longer than {@code passSeconds} gets a walk then: files that
 * refused to go come back by a walk only. Where models have a time to live or a quota only a walk finds what is due, so that
 * walks are never further apart than {@code passSeconds}, or the time of a walk if that is longer. Guarded by itself.
 */
final class PassSchedule {
    /** Percent below the cleanup mark from which walks go at full speed. */
    private static final double NEAR_PERCENT = 3;

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PERIOD_SECONDS_MAX = TimeUnit.HOURS.toSeconds(6);
    /** Seconds after which a change of growth has gone into what is reckoned with by two thirds. */
    private static final double SMOOTHING_SECONDS = 10;

    private final long passSeconds;
    private final boolean rules;
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

    /**
     * A schedule, before the first walk.
     *
     * @param rules whether models have a time to live or a quota
     */
    PassSchedule(long passSeconds, boolean rules, Thresholds thresholds, Clocks clocks) {
        this.passSeconds = passSeconds;
        this.rules = rules;
        this.thresholds = thresholds;
        this.clocks = clocks;
    }

    /** Takes in how full the volume is now. */
    synchronized void observe(Usage now) {
        long nanos = clocks.monotonicNanos();
        double seconds = (nanos - usageNanos) / 1e9;
        if (usage.totalBytes() > 0 && seconds > 0) {
            double growth = Math.max(0, now.usedBytes() - usage.usedBytes()) / seconds;
            bytesPerSecond += -Math.expm1(-seconds / SMOOTHING_SECONDS) * (growth - bytesPerSecond);
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

    /** Whether the mark has not been reached, and is near. */
    synchronized boolean justBelowMark() {
        return usage.percent() < thresholds.cleanup() && usage.percent() >= thresholds.cleanup() - NEAR_PERCENT;
    }

    /** Whether a walk is due. */
    synchronized boolean due(boolean deleting, boolean enoughReady) {
        long since = clocks.monotonicNanos() - endedNanos;
        if (deleting && !enoughReady) {
            return since >= Math.max(PAUSE_NANOS, passNanos / 4);
        }
        if (!whole) {
            return since >= Math.max(PAUSE_NANOS, 4 * passNanos);
        }
        double period = deleting ? Math.max((double) passSeconds, passNanos / 1e9) : periodSeconds();
        return since >= period * 1e9;
    }

    @GuardedBy("this")
    private double periodSeconds() {
        double longest = rules ? passNanos / 1e9 : (double) PERIOD_SECONDS_MAX;
        return Math.clamp(secondsToMark() / 4, (double) passSeconds, Math.max((double) passSeconds, longest));
    }

    @GuardedBy("this")
    private double secondsToMark() {
        double left = usage.totalBytes() * thresholds.cleanup() / 100 - usage.usedBytes();
        return left <= 0 ? 0 : left / Math.max(1, bytesPerSecond);
    }
}
