package io.tidemark.bench.index;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Latencies of single calls, and what the collector had to do meanwhile. The clock itself is in every sample (about
 * 25 ns here).
 */
final class Latencies {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final String operation;
    private final int leaves;
    private final long[] nanos;
    private int size;
    private long garbageBytes;
    private long collections;
    private long lastStart;

    Latencies(String operation, int leaves, int capacity) {
        this.operation = operation;
        this.leaves = leaves;
        this.nanos = new long[capacity];
    }

    /** Starts to count garbage and collections, of everything that the thread does until {@link #done}. */
    static void begin(List<Latencies> measured) {
        for (Latencies one : measured) {
            one.collections = -collectionsSoFar();
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < measured.size(); i++) {
            measured.get(i).garbageBytes = -allocated;
        }
    }

    void start() {
        lastStart = System.nanoTime();
    }

    void stop() {
        nanos[size++] = System.nanoTime() - lastStart;
    }

    /** Ends what {@link #begin} began. */
    static void done(List<Latencies> measured) {
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        for (Latencies one : measured) {
            one.garbageBytes += allocated;
            one.collections += collectionsSoFar();
        }
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("op", operation);
        fields.put("leaves", leaves);
        fields.put("calls", size);
        fields.put("p50Nanos", percentile(0.5));
        fields.put("meanNanos", mean());
        fields.put("p99Nanos", percentile(0.99));
        fields.put("maxNanos", percentile(1));
        fields.put("garbageBytes", garbageBytes);
        fields.put("collections", collections);
        return fields;
    }

    String row() {
        return String.format(
                Locale.ROOT,
                "%-16s %10d %9d %10.2f %10.2f %10.2f %10.1f %12d %4d",
                operation,
                leaves,
                size,
                percentile(0.5) / 1e3,
                mean() / 1e3,
                percentile(0.99) / 1e3,
                percentile(1) / 1e3,
                garbageBytes,
                collections);
    }

    static String header() {
        return String.format(
                Locale.ROOT,
                "%-16s %10s %9s %10s %10s %10s %10s %12s %4s",
                "operation",
                "leaves",
                "calls",
                "p50 us",
                "mean us",
                "p99 us",
                "max us",
                "garbage B",
                "GCs");
    }

    private double mean() {
        return Arrays.stream(nanos, 0, size).average().orElse(0);
    }

    private long percentile(double share) {
        Arrays.sort(nanos, 0, size);
        return size == 0 ? 0 : nanos[Math.min(size - 1, (int) (size * share))];
    }

    private static long collectionsSoFar() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }
}
