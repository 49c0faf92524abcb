package io.tidemark.bench.index;

import io.tidemark.bench.harness.Machine;
import io.tidemark.index.prefix.TreeOptions;
import io.tidemark.index.prefix.TreePolicy;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./tidemark bench index}. */
@Command(
        name = "index",
        mixinStandardHelpOptions = true,
        description = "The prefix tree: eviction, match, insert, locks, end of a request, bytes a node.",
        footer = {
            "",
            "5000, 20000 and 50000 sequences make about 3.5, 14 and 35 thousand leaves; 1430000 make a million and"
                    + " 14300000 ten million (the last wants TIDEMARK_HEAP=14g)."
        })
public final class IndexBench implements Callable<Integer> {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final int WARM_SEQUENCES = 8_000;
    private static final int WARM_PASSES = 4;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--sequences",
            split = ",",
            defaultValue = "5000,20000,50000",
            description = "Sizes of the trees (default ${DEFAULT-VALUE}).")
    private List<Integer> sizes;

    @Option(
            names = "--what",
            split = ",",
            defaultValue = "evict,prefill,match,read,insert,lock,finish,host,bytes",
            description = "Operations (default ${DEFAULT-VALUE}).")
    private Set<String> what;

    @Option(names = "--policy", defaultValue = "lru", description = "Eviction policy (default ${DEFAULT-VALUE}).")
    private String policy;

    @Option(names = "--rebuild-each-walk", description = "Build a heap of all leaves at each eviction.")
    private boolean rebuildEachWalk;

    @Option(names = "--page-size", defaultValue = "1", description = "Page size (default ${DEFAULT-VALUE}).")
    private int pageSize;

    @Option(
            names = "--one-tree-from",
            defaultValue = "1000000",
            description =
                    "From so many sequences on all operations run in turn on one tree (default ${DEFAULT-VALUE}).")
    private int oneTreeFrom;

    @Option(names = "--steps", defaultValue = "2000", description = "Timed calls (default ${DEFAULT-VALUE}).")
    private int steps;

    @Option(names = "--json", description = "Write results as JSON, one compact object a line.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        note(Machine.line(Machine.raisePriority()));
        TreeOptions options = TreeOptions.DEFAULT
                .withPolicy(TreePolicy.named(policy))
                .withPageSize(pageSize)
                .withRebuildEachWalk(rebuildEachWalk);
        Sequences warm = new Sequences(WARM_SEQUENCES, 1);
        for (int pass = 0; pass < WARM_PASSES; pass++) {
            measure(warm, options, false);
        }
        if (!json) {
            out().println(Latencies.header());
        }
        for (int size : sizes) {
            measure(new Sequences(size, 42), options, true);
        }
        return 0;
    }

    /** On one tree the fill comes first, as it is the row of inserts, and what empties it last. */
    private void measure(Sequences sequences, TreeOptions options, boolean print) throws Exception {
        IndexRuns runs = new IndexRuns(sequences, options, steps, sequences.size() >= oneTreeFrom);
        if (what.contains("insert")) {
            result(runs.insert(), print);
        }
        if (what.contains("bytes") && print) {
            bytes(runs.bytesPerNode());
        }
        if (what.contains("evict")) {
            runs.evictStep().forEach(latencies -> result(latencies, print));
        }
        if (what.contains("lock")) {
            result(runs.lockPair(), print);
        }
        if (what.contains("match")) {
            result(runs.match(), print);
        }
        if (what.contains("prefill")) {
            result(runs.evictPrefill(), print);
        }
        if (what.contains("read")) {
            ReadRuns reading = runs.reading();
            reading.run().forEach(latencies -> result(latencies, print));
            if (print) {
                note(reading.note());
            }
        }
        if (what.contains("finish")) {
            result(runs.finish(), print);
        }
        runs.done();
        if (what.contains("host")) {
            List<Latencies> host = new HostRuns(sequences, options, steps).run();
            host.forEach(latencies -> result(latencies, print));
            result(new DoubleRuns(sequences.size(), options, steps).run(), print);
        }
    }

    private void result(Latencies latencies, boolean print) {
        if (print) {
            out().println(json ? MAPPER.writeValueAsString(latencies.fields()) : latencies.row());
            out().flush();
        }
    }

    private void bytes(double[] perNode) {
        if (json) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("op", "bytes");
            fields.put("bytesPerNode", perNode[0]);
            fields.put("tokensPerNode", perNode[1]);
            out().println(MAPPER.writeValueAsString(fields));
        } else {
            out().println(String.format(
                    Locale.ROOT, "%-16s %.0f bytes a node of %.1f tokens", "memory", perNode[0], perNode[1]));
        }
        out().flush();
    }

    private void note(String line) {
        spec.commandLine().getErr().println(line);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
