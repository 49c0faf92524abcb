package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.Optional;

/**
 * Decides whether deletion is on, with hysteresis over bytes and inodes, and gives the {@link DeletionGrant}.
 *
 * <p>A grant that is used up is renewed only when nothing has been freed for a while ({@link #QUIET_INTERVALS} intervals):
 * until then the file system may not have given back yet what was freed (statvfs lags by seconds on network file systems).
 * That is a time and no number of looks: looks before their time may start and end deletion, never renew it, and a further
 * round of other sweepers waits for it too. As long as others go on with their part, so that the volume empties, ours is not
 * made larger. Who holds no shard takes note of rounds and begins none. Driven by the activator's thread; readable from any.
 */
final class Governor {
    /** Looks after which a grant ends that nobody confirms. */
    private static final int LOOKS_MISSED_MAX = 4;

    /** Intervals without a free after which what the volume says is believed: 5 s by default, and no more than that... */
    static final int QUIET_INTERVALS = 10;

    /** ... unless one interval is longer. */
    private static final long QUIET_NANOS_MAX = 5_000_000_000L;

    private final Thresholds thresholds;
    private final DeletionGrant grant;
    private final long lastsNanos;
    private final long quietNanos;
    private final JointDeletion joint;
    private final Clocks clocks;

    @GuardedBy("this")
    private boolean on;

    /** Read without the lock: cut-offs ask under their own. */
    private volatile boolean critical;

    /** The share that the grant was given for: it shrinks when another sweeper comes. */
    @GuardedBy("this")
    private double givenShare;

    /** The least that the volume has shown since the grant was given: writers make it go up and down on its way. */
    @GuardedBy("this")
    private double leastPercent;

    /** When it was seen to be less than ever before. */
    @GuardedBy("this")
    private long fellNanos;

    /**
     * A governor.
     *
     * @param intervalNanos time between two looks at the volume
     * @param joint begun and ended with deletion here, and begins it when others delete
     */
    Governor(Thresholds thresholds, DeletionGrant grant, long intervalNanos, JointDeletion joint, Clocks clocks) {
        this.thresholds = thresholds;
        this.grant = grant;
        this.joint = joint;
        this.clocks = clocks;
        this.fellNanos = clocks.monotonicNanos();
        this.lastsNanos = Math.max(LOOKS_MISSED_MAX * intervalNanos, 1_000_000_000L);
        this.quietNanos = Math.max(intervalNanos, Math.min(QUIET_INTERVALS * intervalNanos, QUIET_NANOS_MAX));
    }

    /** What a look changed. */
    enum Change {
        NONE,
        STARTED,
        ENDED
    }

    /**
     * Takes a measurement in.
     *
     * @param share our share of what is to be freed, 0 to 1: other sweepers free the rest
     */
    synchronized Change observe(Usage usage, double share) {
        double percent = usage.percent();
        critical = percent >= thresholds.critical();
        if (percent < leastPercent) {
            leastPercent = percent;
            fellNanos = clocks.monotonicNanos();
        }
        Change change = Change.NONE;
        Optional<DeletionRound> called = joint.called();
        if (!on && called.isPresent() && percent > thresholds.target()) {
            on = true;
            join(called.get(), usage, share);
            change = Change.STARTED;
        } else if (!on && percent >= thresholds.cleanup()) {
            on = true;
            begin(usage, share);
            change = Change.STARTED;
        } else if (on && percent <= thresholds.target()) {
            end();
            change = Change.ENDED;
        } else if (on) {
            renew(usage, share);
        }
        return change;
    }

    /** Switches deletion off, wherever the volume stands; it starts again at the cleanup mark. */
    synchronized void end() {
        on = false;
        joint.end();
        grant.revoke();
    }

    @GuardedBy("this")
    private void renew(Usage usage, double share) {
        joint.called().ifPresent(other -> follow(other, usage, share));
        if (grant.open()) {
            lower(usage, share);
            grant.confirm(lastsNanos);
        } else if (isQuiet() && !othersGoOn(share)) {
            begin(usage, share);
        }
    }

    /**
     * Takes part in what others do: more than we knew of in this round, or a further one once our part of the one before is
     * done and the volume can show it. Until then the further one stays called.
     */
    @GuardedBy("this")
    private void follow(DeletionRound other, Usage usage, double share) {
        DeletionRound before = joint.last();
        if (other.number() == before.number()) {
            DeletionRound had = before.part(share);
            DeletionRound more = other.part(share);
            joint.follow(other);
            grant.add(more.bytes() - had.bytes(), more.files() - had.files(), lastsNanos);
            lower(usage, share);
        } else if (!grant.open() && isQuiet()) {
            join(other, usage, share);
        }
    }

    private boolean isQuiet() {
        return grant.quietNanos() >= quietNanos;
    }

    /** Whether others bring the volume down, faster than it is filled. */
    @GuardedBy("this")
    private boolean othersGoOn(double share) {
        return share < 1 && clocks.monotonicNanos() - fellNanos < quietNanos;
    }

    @GuardedBy("this")
    private void join(DeletionRound round, Usage usage, double share) {
        joint.follow(round);
        give(round, usage, share);
    }

    @GuardedBy("this")
    private void begin(Usage usage, double share) {
        if (share > 0) {
            give(joint.begin(needBytes(usage), needFiles(usage)), usage, share);
        }
    }

    @GuardedBy("this")
    private void give(DeletionRound round, Usage usage, double share) {
        DeletionRound part = round.part(share);
        givenShare = share;
        leastPercent = usage.percent();
        grant.give(part.bytes(), part.files(), lastsNanos);
        grant.lower(needBytes(usage), needFiles(usage));
    }

    /** Lowers the grant to what is needed now; the others' part of it too, which they may have done or not. */
    synchronized void lower(Usage usage, double share) {
        if (share < givenShare) {
            givenShare = share;
            DeletionRound rest = new DeletionRound(0, needBytes(usage), needFiles(usage)).part(share);
            grant.lower(rest.bytes(), rest.files());
        }
        grant.lower(needBytes(usage), needFiles(usage));
    }

    private long needBytes(Usage usage) {
        return usage.bytesAbove(thresholds.target());
    }

    private long needFiles(Usage usage) {
        return usage.inodesAbove(thresholds.target());
    }

    /** Whether deletion is on and has the right to free more. */
    boolean mayFree() {
        return on() && grant.open();
    }

    /** Whether deletion is on. */
    synchronized boolean on() {
        return on;
    }

    /** Whether the volume is so full that no age protects. */
    boolean critical() {
        return critical;
    }

    Thresholds thresholds() {
        return thresholds;
    }
}
