package io.tidemark.index.replay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Replays a trace against simulated caches: exact, deterministic, single-threaded. Capacities are blocks, each of them one
 * unit of space, or bytes; hits are counted on the state before a request.
 */
public final class Simulation {
    private static final int PROGRESS_STEP = 1_000;
    private static final String NO_SIZES =
            "no block has a size, which capacities in bytes need: expected a recording of a"
                    + " server, or CSV with a column 'size'";

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

    /** Names of the policies for one tier whose capacity is in bytes: all but the optima, which want blocks of one size. */
    public static List<String> policiesInBytes() {
        return CacheCatalog.names().stream()
                .filter(name -> !CacheCatalog.isOptimum(name))
                .toList();
    }

    /** Names of the policies that can stand for both of two tiers, in alphabetical order. */
    public static List<String> tierPolicies() {
        return TierPolicies.names();
    }

    /** Reads the trace and runs what the options ask for; results in the order of the options. */
    public static List<SimulationResult> run(Path trace, SimulationOptions options, SimulationListener listener)
            throws IOException {
        Trace read = TraceReader.read(trace);
        if (read.requests() == 0) {
            throw new TraceFormatException(trace + ": holds no request; expected at least one");
        }
        if (options.inBytes() && !read.hasSizes()) {
            throw new TraceFormatException(trace + ": " + NO_SIZES);
        }
        return run(read, options, listener);
    }

    /** Runs what the options ask for; results in the order of the options. */
    public static List<SimulationResult> run(Trace trace, SimulationOptions options, SimulationListener listener) {
        listener.read(trace);
        if (options.inBytes() && !trace.hasSizes()) {
            throw new IllegalArgumentException(NO_SIZES);
        }
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
        Room room = room(size);
        SimulatedCache cache = CacheCatalog.make(policy, trace, room);
        Tally tally = new Tally(trace, cache);
        for (int request = 0; request < trace.requests(); request++) {
            tally.look(request);
            cache.serve(request);
            tellProgress(policy, size.label(), request);
        }
        return finished(tally.result(policy, size.label(), room.blocks()));
    }

    private SimulationResult runTiers(TierPolicies policies, TierSizes sizes) {
        Room dram = room(sizes.dram());
        Room ssd = room(sizes.ssd());
        TieredCache cache = new TieredCache(trace, policies, dram, ssd);
        TierTally tally = new TierTally(trace, cache);
        for (int request = 0; request < trace.requests(); request++) {
            tally.look(request);
            cache.serve(request);
            tellProgress(policies.label(), sizes.label(), request);
        }
        return finished(tally.result(policies.label(), sizes.label(), dram.blocks(), ssd.blocks()));
    }

    private Room room(CacheSize size) {
        long capacity = size.of(trace);
        Weights weights = size.weights(trace);
        return options.marks()
                .map(marks -> Room.withMarks(capacity, weights, marks))
                .orElseGet(() -> Room.exact(capacity, weights));
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
