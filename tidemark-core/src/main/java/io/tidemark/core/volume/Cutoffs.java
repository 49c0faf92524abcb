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
 * census is whole, the ready buffer holds the coldest of all up to where it has no gaps ({@link Intake#gaplessSeconds}), so
 * that its order alone decides there, and only the age floor limits. Where more than that is needed (there are more files
 * than there is room for, or many refuse to go) files may go up to the age that the census says the need reaches; what the buffer has
 * beyond that comes from the shards that happened to be walked first (ADR 28). What is worth being taken into the buffer is known as
 * soon as every rank directory has been sampled, on the safe side too.
 *
 * <p>The estimate is made again every {@link #FRESH_MILLIS} ms at most. Its lock guards the estimate and is held while it is
 * summed up (milliseconds).
 */
final class Cutoffs {
    private static final long FRESH_MILLIS = 100;
    /** How much further the buffer reaches, and with the walk after it what may go, when a walk brought nothing that could go. */
    private static final double WIDER = 4;

    private static final double WIDEST = 1e6;

    private final Census census;
    private final DeletionGrant grant;
    private final Governor governor;
    private final Intake intake;
    private final LongSupplier refusedBytes;
    private final UnreadFolders unread;
    private final int readyMin;
    private final Clocks clocks;

    @GuardedBy("this")
    private double wider = 1;

    @GuardedBy("this")
    private boolean walking;

    @GuardedBy("this")
    private Estimate estimate;

    /** What was needed when the estimate was made reaches this last use: both of one moment, as files go all the time. */
    @GuardedBy("this")
    private long neededThenSeconds = Long.MIN_VALUE;

    @GuardedBy("this")
    private long madeNanos;

    /**
     * Cut-offs.
     *
     * @param intake what the ready buffer has taken
     * @param refusedBytes allocated bytes of files that refuse to go: they are among the coldest, and help nothing
     * @param unread what walks could not read, which may be colder than all that is counted
     * @param readyMin files that the buffer holds at least, as far as there are any
     */
    Cutoffs(
            Census census,
            DeletionGrant grant,
            Governor governor,
            Intake intake,
            LongSupplier refusedBytes,
            UnreadFolders unread,
            int readyMin,
            Clocks clocks) {
        this.census = census;
        this.grant = grant;
        this.governor = governor;
        this.intake = intake;
        this.refusedBytes = refusedBytes;
        this.unread = unread;
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
        neededThenSeconds = neededSeconds(estimate, needed(estimate));
        madeNanos = clocks.monotonicNanos();
        return estimate;
    }

    /** Files last used at or before the answer may go now; empty when nothing can be said yet. */
    OptionalLong youngestSeconds() {
        Estimate now = estimate();
        return youngestSeconds(now, needed(now));
    }

    private OptionalLong youngestSeconds(Estimate now, Needed needed) {
        long floor = floorSeconds();
        if (now.whole()) {
            return OptionalLong.of(Math.min(floor, reachedSeconds(now, needed)));
        }
        // bytes only: how large the coldest files are a sample does not say well enough for inodes
        OptionalLong cutoff =
                now.cutoffSeconds((long) (grant.remainingBytes() - uncounted().bytes()));
        return cutoff.isPresent() ? OptionalLong.of(Math.min(floor, cutoff.getAsLong())) : cutoff;
    }

    /**
     * As {@link #youngestSeconds}, to be compared with stamps: where what was used this moment may go, so may what is
     * stamped ahead of our clock.
     */
    OptionalLong youngestStampSeconds() {
        Estimate now = estimate();
        return youngestStampSeconds(now, needed(now));
    }

    /** The same for who takes files to remove them: none while nothing is needed. */
    OptionalLong youngestNeededSeconds() {
        Estimate now = estimate();
        Needed needed = needed(now);
        return needed.isNothing() ? OptionalLong.empty() : youngestStampSeconds(now, needed);
    }

    private OptionalLong youngestStampSeconds(Estimate now, Needed needed) {
        boolean everything = governor.critical() || governor.thresholds().floorSeconds() == 0;
        return everything && now.whole() ? OptionalLong.of(reachedSeconds(now, needed)) : youngestSeconds(now, needed);
    }

    /** Last use that what is needed reaches, or the buffer has no gaps up to; by a whole census. */
    private long reachedSeconds(Estimate whole, Needed needed) {
        return needed.isNothing()
                ? Long.MAX_VALUE
                : Math.max(intake.gaplessSeconds(), Math.max(neededThenSeconds(), neededSeconds(whole, needed)));
    }

    /**
     * What is to be freed, of one moment: what deleters have taken and not freed yet is part of it, as the census has those
     * files still.
     *
     * @param bytes also where inodes are what is short: those of the coldest so many files
     * @param countedBytes the same of what is counted, as long as what is not may be colder
     */
    private record Needed(long bytes, long countedBytes) {
        boolean isNothing() {
            return bytes == 0;
        }
    }

    private Needed needed(Estimate now) {
        long bytes = grant.remainingBytes();
        long files = grant.remainingFiles();
        UnreadFolders.Uncounted colder = uncounted();
        return new Needed(
                Math.max(bytes, now.bytesOfColdest((double) files)),
                Math.max((long) (bytes - colder.bytes()), now.bytesOfColdest(files - colder.files())));
    }

    /** What is to be freed in bytes, also where inodes are what is short: those of the coldest so many files. */
    long neededBytes() {
        return needed(estimate()).bytes;
    }

    private synchronized long neededThenSeconds() {
        return neededThenSeconds;
    }

    /** What may be colder than all that is counted; above the critical mark something has to go, whatever is colder. */
    private UnreadFolders.Uncounted uncounted() {
        return governor.critical() ? UnreadFolders.Uncounted.NOTHING : unread.uncounted();
    }

    /** Whether less may go than is needed, because what is not counted may be colder. */
    boolean isLimitedByUncounted() {
        return !uncounted().equals(UnreadFolders.Uncounted.NOTHING);
    }

    /**
     * Last use that what is needed reaches, past what refuses to go and less what is not counted; {@link Long#MIN_VALUE} when nothing
     * is, and while a walk goes on where the census has less than that: what has come since the walk before is being found. Further from the second walk
     * in a row on that brought nothing that could go (the first has more taken into the buffer), so that nothing that the
     * census is wrong about lets deletion stand still.
     */
    private long neededSeconds(Estimate now, Needed needed) {
        double wanted = (needed.countedBytes + refusedBytes.getAsLong()) * Math.max(1, wider() / WIDER);
        boolean beingFound = walking() && now.totalBytes() <= wanted;
        return needed.countedBytes <= 0 || beingFound
                ? Long.MIN_VALUE
                : now.reachSeconds((long) wanted).orElse(Long.MIN_VALUE);
    }

    /** Last use from which the age floor protects: now above the critical mark. */
    long floorSeconds() {
        return seconds() - (governor.critical() ? 0 : governor.thresholds().floorSeconds());
    }

    /**
     * Last use up to which the ready buffer takes files: what a cleanup needs at most, which is of a full volume, past what
     * refuses to go, and {@code readyMin} files at least.
     *
     * @param usage of the volume, of which {@code share} is ours
     */
    long bufferedSeconds(Usage usage, double share) {
        Estimate now = estimate();
        double most = usage.totalBytes() * (100 - governor.thresholds().target()) / 100 * share;
        double least = (double) readyMin * now.meanFileBytes();
        double wanted = (Math.max(most, least) + refusedBytes.getAsLong()) * wider();
        return now.reachSeconds((long) wanted).orElse(Long.MAX_VALUE);
    }

    /** Takes in how full the volume is, of which {@code share} is ours: what is in use and not counted may be colder. */
    void observe(Usage usage, double share) {
        if (unread.areUnknown()) {
            unread.account(usage, share, census.estimate(seconds()));
            renew();
        }
    }

    /** Says that a walk begins. */
    synchronized void walkBegins() {
        walking = true;
    }

    /**
     * Says that a walk ended.
     *
     * @param fruitless deletion is on, and nothing went since the walk before: all that was ready refused to go
     */
    synchronized void walked(boolean fruitless) {
        walking = false;
        wider = fruitless ? Math.min(WIDEST, wider * WIDER) : 1;
    }

    private synchronized boolean walking() {
        return walking;
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
