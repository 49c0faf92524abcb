package io.tidemark.server.resp.command;

import io.tidemark.core.pool.BackendStatus;
import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.core.pool.Pool;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums over the backends of a pool, for INFO and CONFIG GET.
 *
 * @param usedBytes allocated bytes: resident, reserved and doomed
 * @param left copies that left so far, by reason
 * @param tierHits reads answered so far, by tier
 * @param droppedOnlyCopies last copies lost to failed demotions so far
 */
record PoolFigures(
        long capacityBytes,
        long usedBytes,
        long blocks,
        Map<String, Long> left,
        Map<String, Long> tierHits,
        long droppedOnlyCopies) {
    static PoolFigures of(Pool pool) {
        long capacityBytes = 0;
        long usedBytes = 0;
        for (BackendStatus backend : pool.status().backends()) {
            capacityBytes += backend.capacityBytes();
            usedBytes += backend.residentBytes() + backend.reservedBytes() + backend.doomedBytes();
        }
        Counted counted = new Counted();
        pool.counters(counted);
        return new PoolFigures(
                capacityBytes, usedBytes, pool.blocks(), counted.left, counted.tierHits, counted.droppedOnlyCopies);
    }

    /** Copies that left for this reason. */
    long left(String reason) {
        return left.getOrDefault(reason, 0L);
    }

    /** The counters of the pool that the figures are made of. */
    private static final class Counted implements CounterVisitor {
        private final Map<String, Long> left = new HashMap<>();
        private final Map<String, Long> tierHits = new TreeMap<>();
        private long droppedOnlyCopies;

        @Override
        public void counter(String name, String help, long value, String... labels) {
            switch (name) {
                case "tidemark_left_copies_total" -> add(left, "reason", value, labels);
                case "tidemark_hits_total" -> add(tierHits, "tier", value, labels);
                case "tidemark_dropped_only_copy_total" -> droppedOnlyCopies += value;
                default -> {}
            }
        }

        private static void add(Map<String, Long> sums, String label, long value, String... labels) {
            int at = Arrays.asList(labels).indexOf(label);
            if (at >= 0) {
                sums.merge(labels[at + 1], value, Long::sum);
            }
        }

        @Override
        public void gauge(String name, String help, double value, String... labels) {}
    }
}
