package io.tidemark.core.volume;

import java.util.concurrent.TimeUnit;

/** What stands in the way of a sweeper: in words, for its status and for probes. */
final class SweeperHealth {
    private static final long LOOK_MISSED_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long STUCK_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final long intervalNanos;
    private final Activator activator;
    private final RootWatch rootWatch;
    private final VolumeRefusals refusals;
    private final ShardKeeper keeper;
    private final OwnShards shards;
    private final CrawlConductor conductor;
    private final StandStill standStill;
    private final CrawlBoard board;
    private final Pace pace;

    SweeperHealth(
            long intervalMillis,
            Activator activator,
            RootWatch rootWatch,
            VolumeRefusals refusals,
            ShardKeeper keeper,
            OwnShards shards,
            CrawlConductor conductor,
            StandStill standStill,
            CrawlBoard board,
            Pace pace) {
        this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
        this.activator = activator;
        this.rootWatch = rootWatch;
        this.refusals = refusals;
        this.keeper = keeper;
        this.shards = shards;
        this.conductor = conductor;
        this.standStill = standStill;
        this.board = board;
        this.pace = pace;
    }

    /** Whether the volume is looked at: what a look said is old when none has come back for a while. */
    boolean looks() {
        return activator.sinceLookNanos() <= LOOK_MISSED_NANOS + intervalNanos;
    }

    private String missingLook() {
        return looks()
                ? ""
                : "no look at the volume for " + TimeUnit.NANOSECONDS.toSeconds(activator.sinceLookNanos()) + " s";
    }

    /** Why nothing is removed that should be, as far as is known; empty when all is well. */
    String problem() {
        String missing = missingLook();
        if (!missing.isEmpty()) {
            return missing;
        }
        String outage = activator.outage();
        if (!outage.isEmpty()) {
            return outage;
        }
        String objection = rootWatch.problem();
        if (!objection.isEmpty()) {
            return objection;
        }
        // before the leases: a volume that takes no change renews none
        String refusal = refusals.problem();
        if (!refusal.isEmpty()) {
            return refusal;
        }
        String leases = keeper.problem();
        if (!leases.isEmpty() || shards.ours().isEmpty()) {
            return leases;
        }
        String walk = conductor.last().problem();
        return walk.isEmpty() ? standStill.problem() : walk;
    }

    /** Why the sweeper does not do its work now: the volume does not answer, or a walk is stuck; empty when it does. */
    String unready() {
        String missing = missingLook();
        if (!missing.isEmpty()) {
            return missing;
        }
        String outage = activator.outage();
        if (!outage.isEmpty() || activator.lastUsage().isEmpty()) {
            return outage.isEmpty() ? "the volume has not answered yet" : outage;
        }
        // without a root there are no leases, which is no fault of theirs: the root may come
        String leases = rootWatch.problem().isEmpty() ? keeper.problem() : "";
        if (!leases.isEmpty()) {
            return leases;
        }
        boolean stuck = board.isBusy() && pace.sinceProgressNanos() > STUCK_NANOS;
        return stuck ? "the walk over the volume makes no progress" : "";
    }
}
