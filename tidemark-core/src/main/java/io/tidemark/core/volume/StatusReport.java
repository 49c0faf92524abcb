package io.tidemark.core.volume;

import java.util.Optional;

/** Says what a sweeper is doing. */
final class StatusReport {
    private final Activator activator;
    private final Governor governor;
    private final CrawlerRoles crawlers;
    private final ReadyBuffer ready;
    private final VolumeCounters counters;
    private final RecencyWatch recency;
    private final OwnShards shards;
    private final SweeperHealth health;

    StatusReport(
            Activator activator,
            Governor governor,
            CrawlerRoles crawlers,
            ReadyBuffer ready,
            VolumeCounters counters,
            RecencyWatch recency,
            OwnShards shards,
            SweeperHealth health) {
        this.activator = activator;
        this.governor = governor;
        this.crawlers = crawlers;
        this.ready = ready;
        this.counters = counters;
        this.recency = recency;
        this.shards = shards;
        this.health = health;
    }

    /** What it is doing now: while no look at the volume comes back nothing is known of it, and no right to delete lasts. */
    VolumeStatus now() {
        boolean looks = health.looks();
        return new VolumeStatus(
                looks ? activator.lastUsage() : Optional.empty(),
                looks && governor.on(),
                governor.thresholds(),
                crawlers.seen(),
                ready.size(),
                counters.files(),
                counters.bytes(),
                counters.folders(),
                counters.passes(),
                recency.source(),
                (int) Math.round(shards.share() * BucketList.DIGITS),
                health.problem());
    }
}
