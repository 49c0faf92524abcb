package io.tidemark.index.replay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Replays a trace against simulated caches: exact, deterministic, single-threaded. Each block is one unit of space;
 * hits are counted on the state before a request.
 */
public final class Simulation {
    private static final int PROGRESS_STEP = 1_000;

    private final Trace trace;
    private final SimulationOptions options;
    private final SimulationListener listener;

    private Simulation(Trace trace, SimulationOptions options, SimulationListener listener) {
        this.trace = trace;
        this.options = options;
        this.listener = listener;
    }

    /** Names of the policies for one tier, in alphabetical order. */
    public static List<String> policies() {
        return CacheCatalog.names();
    }

    /** Names of the policies that can stand for both of two tiers, in alphabetical order. */
    public static List<String> tierPolicies() {
        return TierPolicies.names();
    }

    /** Reads the trace and runs what the options ask for; results in the order of the options. */
    public static List<SimulationResult> run(Path trace, SimulationOptions options, SimulationListener listener)
            throws IOException {
        return run(TraceReader.read(trace), options, listener);
    }

    /** Runs what the options ask for; results in the order of the options. */
    public static List<SimulationResult> run(Trace trace, SimulationOptions options, SimulationListener listener) {
        listener.read(trace);
        return new Simulation(trace, options, listener).runAll();
    }

    private List<SimulationResult> runAll() {
        List<SimulationResult> results = new ArrayList<>();
        for (String policy : options.policies()) {
            if (options.tiers().isPresent()) {
                results.add(runTiers(TierPolicies.parse(policy), options.tiers().get()));
                continue;
            }
            for (CacheSize size : options.sizes()) {
                results.add(runOne(policy, size));
            }
        }
        return results;
    }

    private SimulationResult runOne(String policy, CacheSize size) {
        int capacity = size.blocks(trace);
        SimulatedCache cache = CacheCatalog.make(policy, trace, room(capacity));
        Tally tally = new Tally(trace, cache);
        for (int request = 0; request < trace.requests(); request++) {
            tally.look(request);
            cache.serve(request);
            tellProgress(policy, size.label(), request);
        }
        return finished(tally.result(policy, size.label(), capacity));
    }

    private SimulationResult runTiers(TierPolicies policies, TierSizes sizes) {
        int dramBlocks = sizes.dram().blocks(trace);
        int ssdBlocks = sizes.ssd().blocks(trace);
        TieredCache cache = new TieredCache(trace, policies, room(dramBlocks), room(ssdBlocks));
        TierTally tally = new TierTally(trace, cache);
        for (int request = 0; request < trace.requests(); request++) {
            tally.look(request);
            cache.serve(request);
            tellProgress(policies.label(), sizes.label(), request);
        }
        return finished(tally.result(policies.label(), sizes.label(), dramBlocks, ssdBlocks));
    }

    private Room room(int capacity) {
        return options.marks().map(marks -> Room.withMarks(capacity, marks)).orElseGet(() -> Room.exact(capacity));
    }

    private void tellProgress(String policy, String size, int request) {
        if ((request + 1) % PROGRESS_STEP == 0) {
            listener.progressed(policy, size, request + 1, trace.requests());
        }
    }

    private SimulationResult finished(SimulationResult result) {
        listener.finished(result);
        return result;
    }
}
