package io.tidemark.server.cli;

import io.tidemark.index.replay.CacheResult;
import io.tidemark.index.replay.SimulationListener;
import io.tidemark.index.replay.SimulationOptions;
import io.tidemark.index.replay.SimulationResult;
import io.tidemark.index.replay.TierResult;
import io.tidemark.index.replay.Trace;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes results of a simulation as they come: JSON objects or rows of a table; progress goes to stderr. */
final class SimulationReport implements SimulationListener {
    private static final long PROGRESS_NANOS = 2_000_000_000;
    private static final String ONE_TIER = "%-14s %9s %10s %14s %8s %14s %12s %12s";
    private static final String TWO_TIERS = "%-26s %9s %14s %8s %14s %14s %12s %12s";

    private static final String IN_BYTES = " %20s %8s";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Output output;
    private final SimulationOptions options;
    private long lastProgressNanos = System.nanoTime();
    private long cpuNanos;

    SimulationReport(Output output, SimulationOptions options) {
        this.output = output;
        this.options = options;
    }

    @Override
    public void read(Trace trace) {
        output.note("%d requests, %d block references, %d unique blocks"
                .formatted(trace.requests(), trace.references(), trace.uniqueBlocks()));
        trace.remarks().forEach(output::note);
        cpuNanos = THREADS.getCurrentThreadCpuTime();
        if (!output.json()) {
            String header = options.tiers().isPresent()
                    ? TWO_TIERS.formatted(
                            "policy", "size", "prefix hits", "%", "from dram", "from ssd", "demotions", "inserts")
                    : ONE_TIER.formatted(
                            "policy", "size", "blocks", "prefix hits", "%", "block hits", "inserts", "evictions");
            output.text(trace.hasSizes() ? header + IN_BYTES.formatted("prefix hit bytes", "%") : header);
        }
    }

    @Override
    public void progressed(String policy, String size, int requestsDone, int requests) {
        long now = System.nanoTime();
        if (now - lastProgressNanos >= PROGRESS_NANOS) {
            lastProgressNanos = now;
            output.note("%s %s: %d of %d requests".formatted(policy, size, requestsDone, requests));
        }
    }

    @Override
    public void finished(SimulationResult result) {
        if (output.json()) {
            output.object(object(result));
        } else {
            output.text(row(result)
                    + result.bytes()
                            .map(bytes -> IN_BYTES.formatted(
                                    bytes.prefixHits(), "%.2f".formatted(100 * bytes.prefixHitRatio())))
                            .orElse(""));
        }
    }

    private static String row(SimulationResult result) {
        String percent = "%.2f".formatted(100 * result.prefixHitRatio());
        return switch (result) {
            case CacheResult one ->
                ONE_TIER.formatted(
                        one.policy(),
                        one.size(),
                        one.blocks(),
                        one.prefixHits(),
                        percent,
                        one.blockHits(),
                        one.inserts(),
                        one.evictions());
            case TierResult two ->
                TWO_TIERS.formatted(
                        two.policy(),
                        two.size(),
                        two.prefixHits(),
                        percent,
                        two.dramHits(),
                        two.ssdHits(),
                        two.demotions(),
                        two.inserts());
        };
    }

    private Map<String, Object> object(SimulationResult result) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("policy", result.policy());
        object.put("size", result.size());
        options.marks().ifPresent(marks -> object.put("marks", marks.high() + ":" + marks.low()));
        object.put("refs", result.references());
        object.put("prefix_hits", result.prefixHits());
        result.bytes().ifPresent(bytes -> {
            object.put("ref_bytes", bytes.references());
            object.put("prefix_hit_bytes", bytes.prefixHits());
        });
        switch (result) {
            case CacheResult one -> putOneTier(object, one);
            case TierResult two -> putTwoTiers(object, two);
        }
        object.put("cpu_seconds", cpuSeconds());
        return object;
    }

    /** Processor time of the simulation, which is one thread, since the last result. */
    private double cpuSeconds() {
        long before = cpuNanos;
        cpuNanos = THREADS.getCurrentThreadCpuTime();
        return (cpuNanos - before) / 1e9;
    }

    private static void putOneTier(Map<String, Object> object, CacheResult one) {
        object.put("blocks", one.blocks());
        object.put("capacity", one.blocks());
        object.put("block_hits", one.blockHits());
        object.put("imm_hits", one.immediateHits());
        object.put("inserts", one.inserts());
        object.put("evictions", one.evictions());
        object.put("work_saved", one.workSaved());
        object.put("work_total", one.workTotal());
        object.put("miss_p50", one.missP50());
        object.put("miss_p90", one.missP90());
        object.put("miss_p95", one.missP95());
        object.put("miss_p99", one.missP99());
    }

    private static void putTwoTiers(Map<String, Object> object, TierResult two) {
        object.put("dram", two.dramBlocks());
        object.put("ssd", two.ssdBlocks());
        object.put("dram_hits", two.dramHits());
        object.put("ssd_hits", two.ssdHits());
        object.put("inserts", two.inserts());
        object.put("demotions", two.demotions());
        object.put("dropped_from_dram", two.droppedFromDram());
        object.put("dropped_from_ssd", two.droppedFromSsd());
    }
}
