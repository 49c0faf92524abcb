package io.tidemark.bench.index;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Latencies of single calls, what the collector had to do meanwhile, and how often another process took the processor
 * away: such a time slice, some milliseconds, is in the samples. So is the clock itself (about 25 ns here).
 */
final class Latencies {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final String PREEMPTIONS = "nonvoluntary_ctxt_switches:";

    private final String operation;
    private final int leaves;
    private final long[] nanos;
    private int size;
    private long garbageBytes;
    private long collections;
    private long preemptions;
    private long lastStart;

    Latencies(String operation, int leaves, int capacity) {
        this.operation = operation;
        this.leaves = leaves;
        this.nanos = new long[capacity];
    }

    /**
     * Starts to count garbage, collections and preemptions, of everything that the thread does until {@link #done}. May
     * begin again after that: the counts add up.
     */
    static void begin(List<Latencies> measured) {
        for (Latencies one : measured) {
            one.collections -= collectionsSoFar();
            one.preemptions -= preemptionsSoFar();
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < measured.size(); i++) {
            measured.get(i).garbageBytes -= allocated;
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
            one.preemptions += preemptionsSoFar();
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
        fields.put("preemptions", preemptions);
        return fields;
    }

    String row() {
        return String.format(
                Locale.ROOT,
                "%-16s %10d %9d %10.2f %10.2f %10.2f %10.1f %12d %4d %9d",
                operation,
                leaves,
                size,
                percentile(0.5) / 1e3,
                mean() / 1e3,
                percentile(0.99) / 1e3,
                percentile(1) / 1e3,
                garbageBytes,
                collections,
                preemptions);
    }

    static String header() {
        return String.format(
                Locale.ROOT,
                "%-16s %10s %9s %10s %10s %10s %10s %12s %4s %9s",
                "operation",
                "leaves",
                "calls",
                "p50 us",
                "mean us",
                "p99 us",
                "max us",
                "garbage B",
                "GCs",
                "preempted");
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

    /** How often the kernel took the processor from this thread; 0 where it does not say. */
    private static long preemptionsSoFar() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/thread-self/status"))) {
            return lines.filter(line -> line.startsWith(PREEMPTIONS))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(PREEMPTIONS.length()).strip()))
                    .findFirst()
                    .orElse(0);
        } catch (IOException notLinux) {
            return 0;
        }
    }
}
