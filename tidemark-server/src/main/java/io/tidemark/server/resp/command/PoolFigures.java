package io.tidemark.server.resp.command;

import io.tidemark.core.pool.BackendStatus;
import io.tidemark.core.pool.CounterVisitor;
import io.tidemark.core.pool.Pool;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Sums over the backends of a pool, for INFO and CONFIG GET.
 *
 * @param usedBytes allocated bytes: resident, reserved and doomed
 * @param left copies that left so far, by reason
 */
record PoolFigures(long capacityBytes, long usedBytes, long blocks, Map<String, Long> left) {
    static PoolFigures of(Pool pool) {
        long capacityBytes = 0;
        long usedBytes = 0;
        for (BackendStatus backend : pool.status().backends()) {
            capacityBytes += backend.capacityBytes();
            usedBytes += backend.residentBytes() + backend.reservedBytes() + backend.doomedBytes();
        }
        LeftByReason left = new LeftByReason();
        pool.counters(left);
        return new PoolFigures(capacityBytes, usedBytes, pool.blocks(), left.byReason);
    }

    /** Copies that left for this reason. */
    long left(String reason) {
        return left.getOrDefault(reason, 0L);
    }

    private static final class LeftByReason implements CounterVisitor {
        private final Map<String, Long> byReason = new HashMap<>();

        @Override
        public void counter(String name, String help, long value, String... labels) {
            int reason = Arrays.asList(labels).indexOf("reason");
            if (name.equals("tidemark_left_copies_total") && reason >= 0) {
                byReason.merge(labels[reason + 1], value, Long::sum);
            }
        }

        @Override
        public void gauge(String name, String help, double value, String... labels) {}
    }
}
