package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Decides whether deletion is on, with hysteresis over bytes and inodes, and gives the {@link DeletionGrant}.
 *
 * <p>A grant that is used up is renewed only when nothing has been freed for a while ({@link #QUIET_INTERVALS} intervals):
 * until then the file system may not have given back yet what was freed (statvfs lags by seconds on network file systems).
 * That is a time and no number of looks: looks before their time may start and end deletion, never renew it. Driven by
 * the activator's thread; readable from any.
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

    @GuardedBy("this")
    private boolean on;

    @GuardedBy("this")
    private boolean critical;

    /**
     * A governor.
     *
     * @param intervalNanos time between two looks at the volume
     */
    Governor(Thresholds thresholds, DeletionGrant grant, long intervalNanos) {
        this.thresholds = thresholds;
        this.grant = grant;
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
        critical = usage.percent() >= thresholds.critical();
        Change change = Change.NONE;
        if (!on && usage.percent() >= thresholds.cleanup()) {
            on = true;
            give(usage, share);
            change = Change.STARTED;
        } else if (on && usage.percent() <= thresholds.target()) {
            on = false;
            grant.revoke();
            change = Change.ENDED;
        } else if (on) {
            renew(usage, share);
        }
        return change;
    }

    /** Switches deletion off, wherever the volume stands; it starts again at the cleanup mark. */
    synchronized void end() {
        on = false;
        grant.revoke();
    }

    @GuardedBy("this")
    private void renew(Usage usage, double share) {
        if (grant.open()) {
            grant.confirm(needBytes(usage, share), needFiles(usage, share), lastsNanos);
        } else if (grant.quietNanos() >= quietNanos) {
            give(usage, share);
        }
    }

    @GuardedBy("this")
    private void give(Usage usage, double share) {
        grant.give(needBytes(usage, share), needFiles(usage, share), lastsNanos);
    }

    long needBytes(Usage usage, double share) {
        return (long) Math.ceil(usage.bytesAbove(thresholds.target()) * share);
    }

    long needFiles(Usage usage, double share) {
        return (long) Math.ceil(usage.inodesAbove(thresholds.target()) * share);
    }

    /** Whether deletion is on. */
    synchronized boolean on() {
        return on;
    }

    /** Whether the volume is so full that no age protects. */
    synchronized boolean critical() {
        return critical;
    }

    Thresholds thresholds() {
        return thresholds;
    }
}
