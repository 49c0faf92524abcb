package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.CounterVisitor;
import java.util.OptionalLong;

/** Shows all counters and gauges of a sweeper. */
final class MetricsReport {
    private final StatusReport status;
    private final VolumeCounters counters;
    private final UnreadFolders unread;
    private final Cutoffs cutoffs;
    private final RefusedFiles refused;
    private final ConductorRole conductor;
    private final RecencyWatch recency;
    private final Clocks clocks;

    MetricsReport(
            StatusReport status,
            VolumeCounters counters,
            UnreadFolders unread,
            Cutoffs cutoffs,
            RefusedFiles refused,
            ConductorRole conductor,
            RecencyWatch recency,
            Clocks clocks) {
        this.status = status;
        this.counters = counters;
        this.unread = unread;
        this.cutoffs = cutoffs;
        this.refused = refused;
        this.conductor = conductor;
        this.recency = recency;
        this.clocks = clocks;
    }

    void show(CounterVisitor visitor) {
        counters.counters(visitor);
        VolumeStatus now = status.now();
        new VolumeGauges(
                        now,
                        cutoffs.estimate(),
                        conductor.passNanos(),
                        refused.count(),
                        unread.count(),
                        recency.touchLogsBehind())
                .show(
                        visitor,
                        clocks.wallMillis() / 1000,
                        now.usage().isPresent() ? cutoffs.youngestSeconds() : OptionalLong.empty());
    }
}
