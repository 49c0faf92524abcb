package io.tidemark.core.pool;

import io.tidemark.core.medium.DeviceNumbers;
import io.tidemark.core.medium.Ledger;

/** Shows what each backend holds, and what moved in and out of it. */
record PoolCounters(TierGraph graph, Evictions evictions) {
    private static final double NANOS_A_SECOND = 1e9;

    void show(CounterVisitor visitor) {
        for (Backend backend : graph.backends()) {
            String[] labels = {"tier", backend.tier.name(), "backend", backend.name()};
            backend.counters.show(visitor, backend.tier.name(), backend.name());
            evictions.evictor(backend).counters(visitor, labels);
            gauges(visitor, backend, labels);
            backend.medium.numbers().ifPresent(numbers -> device(visitor, numbers, backend.name()));
        }
    }

    private static void device(CounterVisitor visitor, DeviceNumbers device, String backend) {
        String[] labels = {"backend", backend};
        visitor.gauge(
                "tidemark_journal_bytes", "Written of the current journal.", (double) device.journalBytes(), labels);
        visitor.gauge(
                "tidemark_journal_capacity_bytes",
                "What one journal takes; a checkpoint comes at half of it.",
                (double) device.journalCapacityBytes(),
                labels);
        visitor.gauge(
                "tidemark_journal_unwritten_records",
                "Records that wait to be written to the journal.",
                (double) device.unwrittenRecords(),
                labels);
        checkpoints(visitor, device.checkpoints(), labels);
        visitor.gauge("tidemark_io_buffers_in_use", "I/O buffers in use.", device.ioBuffersInUse(), labels);
        visitor.gauge("tidemark_io_buffers", "I/O buffers there are at most.", device.ioBuffers(), labels);
        device.ioErrors()
                .forEach((kind, count) -> visitor.counter(
                        "tidemark_io_errors_total",
                        "System calls of the device that failed.",
                        count,
                        "backend",
                        backend,
                        "kind",
                        kind));
        visitor.gauge(
                "tidemark_lost_space_bytes",
                "Untouched because the file system had no room when it was written; tried again every second.",
                (double) device.lostBytes(),
                labels);
    }

    private static void checkpoints(CounterVisitor visitor, DeviceNumbers.Checkpoints checkpoints, String... labels) {
        visitor.counter("tidemark_checkpoints_total", "Checkpoints written.", checkpoints.count(), labels);
        visitor.counter("tidemark_checkpoint_bytes_total", "Bytes of checkpoints.", checkpoints.bytes(), labels);
        visitor.gauge(
                "tidemark_checkpoint_last_seconds",
                "How long the last checkpoint took; 0 when there was none.",
                checkpoints.lastNanos() / NANOS_A_SECOND,
                labels);
        visitor.gauge(
                "tidemark_checkpoint_age_seconds",
                "Since the last checkpoint was whole, or since the start.",
                checkpoints.ageNanos() / NANOS_A_SECOND,
                labels);
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
                backend.copies().order().size(),
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
