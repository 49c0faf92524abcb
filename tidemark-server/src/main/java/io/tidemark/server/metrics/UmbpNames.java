package io.tidemark.server.metrics;

import io.tidemark.core.medium.MediumKind;
import io.tidemark.core.pool.BackendStatus;
import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.core.pool.PoolStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The same figures under the names that UMBP gives them, for dashboards that exist already. Only names whose meaning is
 * the same here are shown: those of what a node holds, reads, writes and evicts by itself.
 * A put that found no space has none: here each try counts, and those of demotions.
 * How long operations take, and how many come as one batch, is counted nowhere here.
 */
public final class UmbpNames implements CounterSource {
    private static final String CLIENT = "mori_umbp_client_";
    private static final String BACKEND = "mori_umbp_backend_";

    private final CounterSource pool;
    private final Supplier<PoolStatus> status;

    /** Over the counters and the status of a pool. */
    public UmbpNames(CounterSource pool, Supplier<PoolStatus> status) {
        this.pool = pool;
        this.status = status;
    }

    @Override
    public void counters(CounterVisitor visitor) {
        PoolStatus now = status.get();
        for (BackendStatus backend : now.backends()) {
            capacity(visitor, backend);
        }
        visitor.gauge(CLIENT + "kv_live_count_total", "Keys held.", (double) now.blocks());
        Renamed renamed = new Renamed(visitor, new TreeMap<>());
        UmbpSsdNames ssd = new UmbpSsdNames(visitor, ssds(now));
        pool.counters(new Both(renamed, ssd));
        renamed.showKeys();
        ssd.showSums();
    }

    /** One walk over the pool's figures for two who look at them. */
    private record Both(CounterVisitor one, CounterVisitor other) implements CounterVisitor {
        @Override
        public void counter(String name, String help, long value, String... labels) {
            one.counter(name, help, value, labels);
            other.counter(name, help, value, labels);
        }

        @Override
        public void gauge(String name, String help, double value, String... labels) {
            one.gauge(name, help, value, labels);
            other.gauge(name, help, value, labels);
        }
    }

    private static Set<String> ssds(PoolStatus now) {
        return now.backends().stream()
                .filter(backend -> backend.kind() == MediumKind.SSD)
                .map(BackendStatus::backend)
                .collect(Collectors.toSet());
    }

    private static void capacity(CounterVisitor visitor, BackendStatus backend) {
        String[] labels = {
            "tier", backend.kind().name().toLowerCase(Locale.ROOT), "backend", backend.backend(),
        };
        double used = (double) (backend.capacityBytes() - backend.freeBytes());
        visitor.gauge(CLIENT + "capacity_total_bytes", "Capacity.", (double) backend.capacityBytes(), labels);
        visitor.gauge(CLIENT + "capacity_available_bytes", "Free space.", (double) backend.freeBytes(), labels);
        visitor.gauge(CLIENT + "capacity_used_bytes", "Used space.", used, labels);
        visitor.gauge(
                CLIENT + "capacity_utilization_ratio", "Used share.", used / (double) backend.capacityBytes(), labels);
        visitor.gauge(CLIENT + "kv_live_count", "Keys held.", (double) backend.copies(), labels);
    }

    /**
     * Hands counters on under their other names, and drops those that have none.
     *
     * @param keys copies that the evictor took, dropped or moved down: one event there
     */
    private record Renamed(CounterVisitor target, Map<Place, Long> keys) implements CounterVisitor {
        @Override
        public void counter(String name, String help, long value, String... labels) {
            switch (name) {
                case "tidemark_stored_copies_total" -> operation("ops_total", "put", "ok", value, labels);
                case "tidemark_stored_bytes_total" -> operation("bytes_total", "put", "ok", value, labels);
                case "tidemark_hits_total" -> operation("ops_total", "get", "ok", value, labels);
                case "tidemark_hit_bytes_total" -> operation("bytes_total", "get", "ok", value, labels);
                case "tidemark_unavailable_reads_total" -> operation("ops_total", "get", "unavailable", value, labels);
                case "tidemark_unreadable_copies_total" -> operation("ops_total", "get", "corrupt", value, labels);
                case "tidemark_eviction_passes_total" -> event("round", value, Place.of(labels));
                case "tidemark_eviction_no_candidate_total" -> event("no_candidate", value, Place.of(labels));
                case "tidemark_eviction_stalled_total" -> event("stalled", value, Place.of(labels));
                case "tidemark_left_copies_total" -> left(Place.label("reason", labels), value, Place.of(labels));
                default -> {
                    // has no name there
                }
            }
        }

        @Override
        public void gauge(String name, String help, double value, String... labels) {
            // levels come from the status
        }

        private void operation(String suffix, String operation, String status, long value, String... labels) {
            List<String> all = new ArrayList<>(List.of("op", operation, "status", status));
            all.addAll(List.of(labels));
            target.counter(BACKEND + suffix, "Operations of a backend.", value, all.toArray(String[]::new));
        }

        private void left(String reason, long copies, Place place) {
            if (reason.equals("capacity") || reason.equals("demoted")) {
                keys.merge(place, copies, Long::sum);
            }
        }

        private void event(String event, long count, Place place) {
            target.counter(
                    CLIENT + "local_evict_total",
                    "Rounds of the evictor, how they ended, and the keys they took.",
                    count,
                    "event",
                    event,
                    "tier",
                    place.tier(),
                    "backend",
                    place.backend());
        }

        void showKeys() {
            keys.forEach((place, copies) -> event("key", copies, place));
        }
    }
}
