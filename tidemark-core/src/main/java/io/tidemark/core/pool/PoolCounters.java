package io.tidemark.core.pool;

import io.tidemark.core.medium.Ledger;

/** Shows what each backend holds, and what moved in and out of it. */
record PoolCounters(TierGraph graph, Evictions evictions) {
    void show(CounterVisitor visitor) {
        for (Backend backend : graph.backends()) {
            String[] labels = {"tier", backend.tier.name(), "backend", backend.name()};
            backend.counters.show(visitor, backend.tier.name(), backend.name());
            evictions.evictor(backend).counters(visitor, labels);
            gauges(visitor, backend, labels);
        }
    }

    private static void gauges(CounterVisitor visitor, Backend backend, String... labels) {
        Ledger.Snapshot ledger = backend.medium.ledger().snapshot();
        visitor.gauge("tidemark_capacity_bytes", "Capacity.", (double) ledger.capacity(), labels);
        state(visitor, "untouched", ledger.untouched(), backend);
        state(visitor, "free", ledger.free(), backend);
        state(visitor, "reserved", ledger.reserved(), backend);
        state(visitor, "resident", ledger.resident(), backend);
        state(visitor, "doomed", ledger.doomed(), backend);
        visitor.gauge(
                "tidemark_pinned_bytes",
                "Held by running reads.",
                (double) backend.copies().pinnedBytes(),
                labels);
        visitor.gauge("tidemark_leased_bytes", "Held by look-ups.", (double) backend.leasedBytes.get(), labels);
        visitor.gauge(
                "tidemark_moving_bytes", "Queued or running moves out.", (double) backend.movingBytes.get(), labels);
        visitor.gauge(
                "tidemark_copies", "Copies, of any state.", backend.copies().count(), labels);
        visitor.gauge(
                "tidemark_backend_healthy",
                "1 while the backend works, 0 while it is out of use.",
                backend.medium.health().healthy() ? 1 : 0,
                labels);
        visitor.gauge(
                "tidemark_evictable_copies",
                "Copies that may go.",
                backend.copies().evictable(),
                labels);
    }

    private static void state(CounterVisitor visitor, String state, long bytes, Backend backend) {
        visitor.gauge(
                "tidemark_space_bytes",
                "Allocated bytes by state; the states add up to the capacity.",
                (double) bytes,
                "tier",
                backend.tier.name(),
                "backend",
                backend.name(),
                "state",
                state);
    }
}
