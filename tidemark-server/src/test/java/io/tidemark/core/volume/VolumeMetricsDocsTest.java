package io.tidemark.core.volume;

import io.tidemark.server.GeneratedPart;
import io.tidemark.server.MetricsCatalogue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** In this package for the parts that show the metrics: some show theirs only once something was removed or skipped. */
class VolumeMetricsDocsTest {
    private static final double MARK = 50;

    @Test
    void theCatalogueInTheDocsIsWhatTheVolumeEvictorShows() throws Exception {
        MetricsCatalogue catalogue = new MetricsCatalogue("tidemark_volume");
        VolumeCounters counters = new VolumeCounters();
        counters.removed("m", RemovalCause.CAPACITY, 1);
        counters.skipped("gone");
        counters.counters(catalogue);
        new VolumeGauges(status(), new Estimate(new AgeSum(), 0, 0, true, true, 0, 0), 0, 0, 0, 0)
                .show(catalogue, 0, OptionalLong.of(0));
        // the one that the process adds, where it publishes
        catalogue.counter("tidemark_volume_events_sent_total", "Hashes published in delete events.", 0);
        GeneratedPart.assertEquals("docs/metrics.md", "volume", catalogue.table());
    }

    private static VolumeStatus status() {
        return new VolumeStatus(
                Optional.of(new Usage(1, 2, 1, 2)),
                false,
                new Thresholds(MARK + 1, MARK, MARK + 2, 0),
                List.of(),
                0,
                0,
                0,
                0,
                0,
                RecencySource.UNKNOWN,
                1,
                "");
    }
}
