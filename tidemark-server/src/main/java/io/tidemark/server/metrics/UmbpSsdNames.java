package io.tidemark.server.metrics;

import io.tidemark.core.pool.CounterVisitor;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Hands on what concerns SSDs under UMBP's names. What UMBP calls a copy is a demotion here; one that fails names no
 * device, for it may have been at several. Copies that a full queue drops are none here: there is no such queue.
 */
final class UmbpSsdNames implements CounterVisitor {
    private static final String SSD = "mori_umbp_ssd_";
    private static final Set<String> EVICTED = Set.of("capacity", "demoted");
    private static final Set<String> FAILED = Set.of("no_room", "unhealthy", "damaged");

    private final CounterVisitor target;
    private final Set<String> ssds;

    /** What is the sum of several figures here. */
    private final Map<Place, Long> victims = new TreeMap<>();

    private final Map<Place, Long> freed = new TreeMap<>();
    private long failed;

    /** @param ssds names of the backends that are SSDs */
    UmbpSsdNames(CounterVisitor target, Set<String> ssds) {
        this.target = target;
        this.ssds = ssds;
    }

    @Override
    public void counter(String name, String help, long value, String... labels) {
        switch (name) {
            case "tidemark_transitions_total" -> {
                if (Place.label("kind", labels).equals("demotion") && FAILED.contains(Place.label("outcome", labels))) {
                    failed += value;
                }
            }
            default -> {
                Place place = Place.of(labels);
                if (ssds.contains(place.backend())) {
                    ofBackend(name, place, value, labels);
                }
            }
        }
    }

    private void ofBackend(String name, Place place, long value, String... labels) {
        boolean copied = Place.label("source", labels).equals("demotion");
        boolean evicted = EVICTED.contains(Place.label("reason", labels));
        if (name.equals("tidemark_stored_copies_total") && copied) {
            show("copy_succeeded", "Copies that came down to this SSD.", value, place);
        } else if (name.equals("tidemark_stored_bytes_total") && copied) {
            show("copy_bytes", "Allocated bytes that came down to this SSD.", value, place);
        } else if (name.equals("tidemark_left_copies_total") && evicted) {
            victims.merge(place, value, Long::sum);
        } else if (name.equals("tidemark_left_bytes_total") && evicted) {
            freed.merge(place, value, Long::sum);
        } else if (name.equals("tidemark_hits_total")) {
            show("read", "Reads answered from this SSD.", value, place);
        } else if (name.equals("tidemark_hit_bytes_total")) {
            show("read_bytes", "Bytes of reads answered from this SSD.", value, place);
        } else if (name.equals("tidemark_eviction_passes_total")) {
            show("eviction_rounds", "Rounds of this SSD's evictor.", value, place);
        }
    }

    @Override
    public void gauge(String name, String help, double value, String... labels) {
        // levels come from the status
    }

    /** Shows the sums; nothing where there is no SSD. */
    void showSums() {
        victims.forEach((place, copies) ->
                show("eviction_victims", "Copies that this SSD's evictor dropped or moved down.", copies, place));
        freed.forEach((place, bytes) -> show(
                "eviction_bytes_freed",
                "Allocated bytes that this SSD's evictor dropped or moved down.",
                bytes,
                place));
        if (!ssds.isEmpty()) {
            target.counter(SSD + "copy_failed_total", "Demotions that ended without a copy below.", failed);
        }
    }

    private void show(String name, String help, long value, Place place) {
        target.counter(SSD + name + "_total", help, value, "tier", place.tier(), "backend", place.backend());
    }
}
