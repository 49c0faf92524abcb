package io.tidemark.core.volume;

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

    /** What it is doing now. */
    VolumeStatus now() {
        return new VolumeStatus(
                activator.lastUsage(),
                governor.on(),
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
