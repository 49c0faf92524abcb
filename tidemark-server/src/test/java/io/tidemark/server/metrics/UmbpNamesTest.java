package io.tidemark.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.MediumKind;
import io.tidemark.core.pool.BackendStatus;
import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.core.pool.PoolStatus;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
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

    private static final String[] SSD = {"tier", "ssd", "backend", "ssd0"};
    private static final String[] DRAM = {"tier", "dram", "backend", "dram0"};

    private static String[] and(String[] place, String... more) {
        return Stream.concat(Stream.of(place), Stream.of(more)).toArray(String[]::new);
    }

    private static BackendStatus backend(MediumKind kind, String[] place) {
        return new BackendStatus(place[1], place[3], kind, 100, 40, 0, 60, 0, 0, 0, 0, 90, 70, 3, 3, "");
    }

    private static List<String> shown(PoolStatus status, String prefix, CounterSource pool) {
        PrometheusText text = new PrometheusText();
        new UmbpNames(pool, () -> status).counters(text);
        return text.page().lines().filter(line -> line.startsWith(prefix)).toList();
    }

    /** Each figure another number, of both backends: a name with the wrong one, or with memory's, shows. */
    @Test
    void whatConcernsSsdsIsShownUnderItsNamesOfTheirBackendsAlone() {
        CounterSource pool = visitor -> {
            long number = 1;
            for (String[] place : List.of(SSD, DRAM)) {
                for (String source : List.of("put", "demotion", "promotion")) {
                    String[] labels = and(place, "source", source);
                    visitor.counter("tidemark_stored_copies_total", "h", number++, labels);
                    visitor.counter("tidemark_stored_bytes_total", "h", number++, labels);
                }
                for (String reason : List.of("capacity", "demoted", "deleted")) {
                    String[] labels = and(place, "reason", reason);
                    visitor.counter("tidemark_left_copies_total", "h", number++, labels);
                    visitor.counter("tidemark_left_bytes_total", "h", number++, labels);
                }
                visitor.counter("tidemark_hits_total", "h", number++, place);
                visitor.counter("tidemark_hit_bytes_total", "h", number++, place);
                visitor.counter("tidemark_eviction_passes_total", "h", number++, place);
            }
            for (String outcome : List.of("landed", "skipped", "no_room", "unhealthy", "damaged")) {
                for (String kind : List.of("demotion", "promotion")) {
                    visitor.counter("tidemark_transitions_total", "h", number++, "kind", kind, "outcome", outcome);
                }
            }
            visitor.counter("tidemark_dropped_only_copy_total", "h", number++, "reason", "no_space");
            visitor.counter("tidemark_dropped_only_copy_total", "h", number, "reason", "unhealthy");
        };
        PoolStatus both = new PoolStatus(
                List.of(backend(MediumKind.SSD, SSD), backend(MediumKind.DRAM, DRAM)), 0, 0, 0, 0, 0, 0, 0);
        String of = "{tier=\"ssd\",backend=\"ssd0\"} ";
        assertThat(shown(both, "mori_umbp_ssd_", pool))
                .containsExactlyInAnyOrder(
                        "mori_umbp_ssd_copy_succeeded_total" + of + 3,
                        "mori_umbp_ssd_copy_bytes_total" + of + 4,
                        "mori_umbp_ssd_eviction_victims_total" + of + (7 + 9),
                        "mori_umbp_ssd_eviction_bytes_freed_total" + of + (8 + 10),
                        "mori_umbp_ssd_read_total" + of + 13,
                        "mori_umbp_ssd_read_bytes_total" + of + 14,
                        "mori_umbp_ssd_eviction_rounds_total" + of + 15,
                        "mori_umbp_ssd_copy_failed_total " + (35 + 37 + 39));
        assertThat(shown(NOTHING, "mori_umbp_ssd_", pool)).as("without an SSD").isEmpty();
    }

    @Test
    void theFiguresAreWalkedOverOnceAScrape() {
        AtomicInteger walks = new AtomicInteger();
        shown(NOTHING, "mori", visitor -> walks.incrementAndGet());
        assertThat(walks).hasValue(1);
    }

    @Test
    void operationsThatFailedHaveAStatusOfTheirOwn() {
        CounterSource pool = visitor -> {
            visitor.counter("tidemark_no_space_total", "h", 5, SSD);
            visitor.counter("tidemark_unavailable_reads_total", "h", 6, SSD);
            visitor.counter("tidemark_unreadable_copies_total", "h", 7, SSD);
            visitor.counter("tidemark_hits_total", "h", 8, SSD);
        };
        String of = "tier=\"ssd\",backend=\"ssd0\"} ";
        assertThat(shown(NOTHING, "mori_umbp_backend_ops_total", pool))
                .containsExactlyInAnyOrder(
                        "mori_umbp_backend_ops_total{op=\"get\",status=\"unavailable\"," + of + 6,
                        "mori_umbp_backend_ops_total{op=\"get\",status=\"corrupt\"," + of + 7,
                        "mori_umbp_backend_ops_total{op=\"get\",status=\"ok\"," + of + 8);
    }
}
