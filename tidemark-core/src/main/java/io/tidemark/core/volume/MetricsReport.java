package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.CounterVisitor;
import java.util.OptionalLong;

/** Shows all counters and gauges of a sweeper. */
final class MetricsReport {
    private final StatusReport status;
    private final Finds finds;
    private final Cutoffs cutoffs;
    private final RefusedFiles refused;
    private final ConductorRole conductor;
    private final RecencyWatch recency;
    private final Clocks clocks;

    MetricsReport(
            StatusReport status,
            Finds finds,
            Cutoffs cutoffs,
            RefusedFiles refused,
            ConductorRole conductor,
            RecencyWatch recency,
            Clocks clocks) {
        this.status = status;
        this.finds = finds;
        this.cutoffs = cutoffs;
        this.refused = refused;
        this.conductor = conductor;
        this.recency = recency;
        this.clocks = clocks;
    }

    void show(CounterVisitor visitor) {
        finds.counters().counters(visitor);
        VolumeStatus now = status.now();
        new VolumeGauges(
                        now,
                        cutoffs.estimate(),
                        conductor.passNanos(),
                        refused.count(),
                        finds.unread().count(),
                        recency.touchLogsBehind())
                .show(
                        visitor,
                        clocks.wallMillis() / 1000,
                        now.usage().isPresent() ? cutoffs.youngestSeconds() : OptionalLong.empty());
    }
}
