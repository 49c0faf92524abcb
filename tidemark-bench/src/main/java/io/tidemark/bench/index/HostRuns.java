package io.tidemark.bench.index;

import io.tidemark.index.prefix.CountedHost;
import io.tidemark.index.prefix.CountedSlots;
import io.tidemark.index.prefix.HostOptions;
import io.tidemark.index.prefix.Insertion;
import io.tidemark.index.prefix.PrefixTree;
import io.tidemark.index.prefix.TokenKey;
import io.tidemark.index.prefix.Transfers;
import io.tidemark.index.prefix.TreeOptions;
import io.tidemark.index.prefix.TreeServices;
import io.tidemark.index.prefix.WritePolicy;
import java.util.List;

/** The host tier under write-back: evictions that back up first, and evictions from the host. Transfers take no time. */
final class HostRuns implements Transfers {
    private static final int STEP_UNITS = 64;

    private final Sequences sequences;
    private final int steps;
    private final PrefixTree<CountedSlots> tree;
    private final int[] writes = new int[1 << 12];
    private int writing;

    HostRuns(Sequences sequences, TreeOptions options, int steps) {
        this.sequences = sequences;
        this.steps = steps;
        TreeServices<CountedSlots> services =
                TreeServices.deviceOnly(CountedSlots.SLOTS).withHost(new CountedHost(sequences.distinctTokens()), this);
        this.tree = new PrefixTree<>(
                options.withHost(HostOptions.of(WritePolicy.WRITE_BACK)).withExpectedNodes(sequences.size() * 3 / 2),
                services);
    }

    /** Write-back evictions of 64 tokens, then, with everything on the host, evictions of 64 from there. */
    List<Latencies> run() {
        fill();
        Latencies device = new Latencies("write-back(64)", tree.deviceLeaves(), steps);
        List<Latencies> measured = List.of(device);
        Latencies.begin(measured);
        for (int step = 0; step < steps; step++) {
            device.start();
            tree.evict(STEP_UNITS);
            device.stop();
        }
        Latencies.done(measured);
        tree.evict(Long.MAX_VALUE);
        Latencies host = new Latencies("evictHost(64)", tree.hostLeaves(), steps);
        List<Latencies> second = List.of(host);
        Latencies.begin(second);
        for (int step = 0; step < steps; step++) {
            host.start();
            tree.evictHost(STEP_UNITS);
            host.stop();
        }
        Latencies.done(second);
        return List.of(device, host);
    }

    private void fill() {
        int[] tokens = new int[sequences.longest()];
        TokenKey key = new TokenKey();
        Insertion<CountedSlots> insertion = new Insertion<>(CountedSlots.SLOTS);
        for (int place = 0; place < sequences.size(); place++) {
            tree.insert(key.set(0, tokens, sequences.fill(place, tokens)), insertion);
        }
    }

    @Override
    public void write(int node) {
        writes[writing++] = node;
    }

    @Override
    public void load(int node) {
        throw new IllegalStateException("nothing is loaded here, asked for node " + node);
    }

    @Override
    public void awaitWrites() {
        for (int i = 0; i < writing; i++) {
            tree.writeDone(writes[i]);
        }
        writing = 0;
    }
}
