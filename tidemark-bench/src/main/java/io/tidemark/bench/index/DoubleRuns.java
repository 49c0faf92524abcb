package io.tidemark.bench.index;

import io.tidemark.index.prefix.CountedHost;
import io.tidemark.index.prefix.CountedSlots;
import io.tidemark.index.prefix.HostOptions;
import io.tidemark.index.prefix.Insertion;
import io.tidemark.index.prefix.LoadBack;
import io.tidemark.index.prefix.MatchResult;
import io.tidemark.index.prefix.PrefixTree;
import io.tidemark.index.prefix.TokenKey;
import io.tidemark.index.prefix.Transfers;
import io.tidemark.index.prefix.TreeOptions;
import io.tidemark.index.prefix.TreeServices;
import io.tidemark.index.prefix.WritePolicy;
import java.util.Arrays;
import java.util.List;

/** Evictions from a full host under write-back while every node is a leaf that was loaded back and has both copies. */
final class DoubleRuns implements Transfers {
    private static final int UNITS = 64;

    private final int leaves;
    private final int steps;
    private final PrefixTree<CountedSlots> tree;
    private final int[] tokens = new int[UNITS];
    private final TokenKey key = new TokenKey();
    private int writing;

    DoubleRuns(int leaves, TreeOptions options, int steps) {
        this.leaves = leaves;
        this.steps = Math.min(steps, leaves);
        TreeServices<CountedSlots> services = TreeServices.deviceOnly(CountedSlots.SLOTS)
                .withRoom(() -> Long.MAX_VALUE)
                .withHost(new CountedHost((long) leaves * UNITS), this);
        this.tree = new PrefixTree<>(
                options.withHost(HostOptions.of(WritePolicy.WRITE_BACK)).withExpectedNodes(leaves), services);
    }

    Latencies run() {
        Insertion<CountedSlots> insertion = new Insertion<>(CountedSlots.SLOTS);
        for (int leaf = 0; leaf < leaves; leaf++) {
            tree.insert(key(leaf), insertion);
        }
        tree.evict(Long.MAX_VALUE);
        MatchResult match = new MatchResult();
        for (int leaf = 0; leaf < leaves; leaf++) {
            tree.match(key(leaf), match);
            if (tree.loadBack(match.bestNode()) != LoadBack.STARTED) {
                throw new IllegalStateException("leaf " + leaf + " of " + leaves + " was not loaded back");
            }
            tree.loadDone(match.bestNode());
        }
        Latencies latencies = new Latencies("evictDouble(64)", tree.deviceLeaves(), steps);
        List<Latencies> measured = List.of(latencies);
        Latencies.begin(measured);
        for (int step = 0; step < steps; step++) {
            latencies.start();
            tree.evictHost(UNITS);
            latencies.stop();
        }
        Latencies.done(measured);
        return latencies;
    }

    private TokenKey key(int leaf) {
        Arrays.fill(tokens, leaf);
        return key.set(0, tokens);
    }

    /** The one write of a victim; it is done when it is waited for. */
    @Override
    public void write(int node) {
        writing = node;
    }

    @Override
    public void load(int node) {}

    @Override
    public void awaitWrites() {
        if (tree.writesInFlight() > 0) {
            tree.writeDone(writing);
        }
    }
}
