package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How recently used a file may be and still go.
 *
 * <p>While the first walk goes on, the answer comes from the part of the volume seen so far, on the safe side. Once the
 * census is whole, the ready buffer holds the coldest of all, so that its order alone decides and only the age floor
 * limits; what is worth being taken into the buffer is known as soon as every rank directory has been sampled, on the
 * safe side too. The estimate is made again every
 * {@link #FRESH_MILLIS} ms at most. Its lock guards the estimate and is held while it is summed up (milliseconds).
 */
final class Cutoffs {
    private static final long FRESH_MILLIS = 100;
    /** Room that the buffer leaves for what grows until deletion starts, as a factor. */
    private static final double AHEAD = 1.5;

    /** How much further the buffer reaches after a walk that brought nothing that could go, as a factor. */
    private static final double WIDER = 4;

    private static final double WIDEST = 1e6;

    private final Census census;
    private final DeletionGrant grant;
    private final Governor governor;
    private final LongSupplier refusedBytes;
    private final int readyMin;
    private final Clocks clocks;

    @GuardedBy("this")
    private double wider = 1;

    @GuardedBy("this")
    private Estimate estimate;

    @GuardedBy("this")
    private long madeNanos;

    /**
     * Cut-offs.
     *
     * @param refusedBytes allocated bytes of files that refuse to go: they are among the coldest, and help nothing
     * @param readyMin files that the buffer holds at least, as far as there are any
     */
    Cutoffs(
            Census census,
            DeletionGrant grant,
            Governor governor,
            LongSupplier refusedBytes,
            int readyMin,
            Clocks clocks) {
        this.census = census;
        this.grant = grant;
        this.governor = governor;
        this.refusedBytes = refusedBytes;
        this.readyMin = readyMin;
        this.clocks = clocks;
        this.estimate = census.estimate(seconds());
        this.madeNanos = clocks.monotonicNanos();
    }

    /** Our share of the volume by age, at most {@link #FRESH_MILLIS} ms old. */
    synchronized Estimate estimate() {
        long now = clocks.monotonicNanos();
        if (now - madeNanos > TimeUnit.MILLISECONDS.toNanos(FRESH_MILLIS)) {
            renew();
        }
        return estimate;
    }

    /**
     * Makes the estimate again now: right after a walk the one kept still lacks the last shards, and would call the
     * census a sample.
     */
    synchronized Estimate renew() {
        estimate = census.estimate(seconds());
        madeNanos = clocks.monotonicNanos();
        return estimate;
    }

    /** Files last used at or before the answer may go now; empty when nothing can be said yet. */
    OptionalLong youngestSeconds() {
        long floor = floorSeconds();
        Estimate now = estimate();
        if (now.whole()) {
            return OptionalLong.of(floor);
        }
        OptionalLong cutoff = now.cutoffSeconds(grant.remainingBytes());
        return cutoff.isPresent() ? OptionalLong.of(Math.min(floor, cutoff.getAsLong())) : cutoff;
    }

    /**
     * As {@link #youngestSeconds}, to be compared with stamps: where what was used this moment may go, so may what is
     * stamped ahead of our clock.
     */
    OptionalLong youngestStampSeconds() {
        boolean everything = governor.critical() || governor.thresholds().floorSeconds() == 0;
        return everything && estimate().whole() ? OptionalLong.of(Long.MAX_VALUE) : youngestSeconds();
    }

    /** Last use from which the age floor protects: now above the critical mark. */
    long floorSeconds() {
        return seconds() - (governor.critical() ? 0 : governor.thresholds().floorSeconds());
    }

    /**
     * Last use up to which the ready buffer takes files: what a cleanup would need and some more, past what refuses to go,
     * and {@code readyMin} files at least.
     *
     * @param usage of the volume, of which {@code share} is ours
     */
    long admittedSeconds(Usage usage, double share) {
        Estimate now = estimate();
        double band = governor.thresholds().cleanup() - governor.thresholds().target();
        long above = usage.bytesAbove(governor.thresholds().target());
        double cleanup = Math.max(usage.totalBytes() * band / 100, (double) above) * share * AHEAD;
        double least = (double) readyMin * now.meanFileBytes();
        double wanted = (Math.max(cleanup, least) + refusedBytes.getAsLong()) * wider();
        return now.reachSeconds((long) wanted).orElse(Long.MAX_VALUE);
    }

    /**
     * Says that a walk ended.
     *
     * @param fruitless deletion is on, and nothing went since the walk before: all that was ready refused to go
     */
    synchronized void walked(boolean fruitless) {
        wider = fruitless ? Math.min(WIDEST, wider * WIDER) : 1;
    }

    private synchronized double wider() {
        return wider;
    }

    /** Mean allocated bytes of a file. */
    long meanFileBytes() {
        return estimate().meanFileBytes();
    }

    private long seconds() {
        return clocks.wallMillis() / 1000;
    }
}
