package io.tidemark.server.metrics;

import io.tidemark.core.pool.CounterVisitor;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.BooleanSupplier;

/** Counters of the process itself: version, age, readiness, heap, direct memory, collections, threads. */
public final class ProcessCounters implements CounterSource {
    private final String version;
    private final BooleanSupplier ready;

    public ProcessCounters(String version, BooleanSupplier ready) {
        this.version = version;
        this.ready = ready;
    }

    @Override
    public void counters(CounterVisitor visitor) {
        visitor.gauge("tidemark_build_info", "Always 1; the version is in the label.", 1, "version", version);
        visitor.gauge("tidemark_ready", "1 while the server takes traffic.", ready.getAsBoolean() ? 1 : 0);
        visitor.gauge(
                "tidemark_uptime_seconds",
                "Time since the JVM started.",
                ManagementFactory.getRuntimeMXBean().getUptime() / 1e3);
        Runtime runtime = Runtime.getRuntime();
        visitor.gauge("tidemark_jvm_heap_max_bytes", "Largest heap.", (double) runtime.maxMemory());
        visitor.gauge("tidemark_jvm_heap_used_bytes", "Heap in use.", (double)
                (runtime.totalMemory() - runtime.freeMemory()));
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            visitor.gauge(
                    "tidemark_jvm_buffer_bytes",
                    "Memory of NIO buffers.",
                    (double) pool.getMemoryUsed(),
                    "pool",
                    pool.getName());
        }
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            String name = collector.getName();
            visitor.counter("tidemark_jvm_gc_total", "Collections.", collector.getCollectionCount(), "collector", name);
            visitor.counter(
                    "tidemark_jvm_gc_milliseconds_total",
                    "Time spent in collections.",
                    collector.getCollectionTime(),
                    "collector",
                    name);
        }
        visitor.gauge(
                "tidemark_jvm_threads",
                "Platform threads.",
                ManagementFactory.getThreadMXBean().getThreadCount());
    }
}
