package io.tidemark.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.core.pool.PoolStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class UmbpNamesTest {
    private static final PoolStatus NOTHING = new PoolStatus(List.of(), 0, 0, 0, 0, 0, 0, 0);

    @Test
    void evictionsAreShownUnderTheEventsThatUmbpHas() {
        UmbpNames names = new UmbpNames(
                visitor -> {
                    String[] place = {"tier", "dram", "backend", "dram0"};
                    visitor.counter("tidemark_eviction_passes_total", "h", 3, place);
                    visitor.counter("tidemark_eviction_no_candidate_total", "h", 1, place);
                    visitor.counter("tidemark_eviction_stalled_total", "h", 2, place);
                    left(visitor, "capacity", 5);
                    left(visitor, "demoted", 7);
                    left(visitor, "deleted", 11);
                    left(visitor, "promoted", 13);
                },
                () -> NOTHING);
        PrometheusText text = new PrometheusText();

        names.counters(text);

        assertThat(text.page().lines().filter(line -> line.startsWith("mori_umbp_client_local_evict_total")))
                .containsExactlyInAnyOrder(
                        event("round", 3), event("no_candidate", 1), event("stalled", 2), event("key", 12));
    }

    private static void left(CounterVisitor visitor, String reason, long copies) {
        visitor.counter(
                "tidemark_left_copies_total", "h", copies, "tier", "dram", "backend", "dram0", "reason", reason);
    }

    private static String event(String event, int count) {
        return "mori_umbp_client_local_evict_total{event=\"%s\",tier=\"dram\",backend=\"dram0\"} %d"
                .formatted(event, count);
    }
}
