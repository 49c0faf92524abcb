package io.tidemark.bench.index;

import io.tidemark.index.prefix.TreeOptions;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;

/**
 * The timed operations over the same sequences: each on a tree of its own, or all in turn on one, where filling takes
 * minutes. One tree stays full meanwhile, or nearly so.
 */
final class IndexRuns {
    private static final int STEP_TOKENS = 64;
    private static final int PREFILL_TOKENS = 20_000;
    /** Timed prefill calls at least, about. */
    private static final int PREFILL_CALLS = 400;

    private static final int IN_FLIGHT = 16;
    private static final int VOCABULARY = 32_000;

    private final Sequences sequences;
    private final TreeOptions options;
    private final int steps;
    private final boolean oneTree;
    private Optional<BenchTree> kept = Optional.empty();

    IndexRuns(Sequences sequences, TreeOptions options, int steps, boolean oneTree) {
        this.sequences = sequences;
        this.options = options;
        this.steps = steps;
        this.oneTree = oneTree;
    }

    /** Each step evicts 64 tokens or a few more and inserts one new sequence of 64: decode steps at capacity. */
    List<Latencies> evictStep() {
        BenchTree tree = filled(sequences.size());
        Random random = new Random(7);
        int leaves = tree.tree().deviceLeaves();
        steps(tree, random, leaves, steps / 10);
        return steps(tree, random, leaves, steps);
    }

    private static List<Latencies> steps(BenchTree tree, Random random, int leaves, int count) {
        Latencies evict = new Latencies("evict(64)", leaves, count);
        Latencies insert = new Latencies("insert(64)", leaves, count);
        List<Latencies> both = List.of(evict, insert);
        Latencies.begin(both);
        for (int step = 0; step < count; step++) {
            for (int i = 0; i < STEP_TOKENS; i++) {
                tree.tokens()[i] = 1 + random.nextInt(VOCABULARY);
            }
            evict.start();
            tree.tree().evict(STEP_TOKENS);
            evict.stop();
            insert.start();
            tree.insert(STEP_TOKENS);
            insert.stop();
        }
        Latencies.done(both);
        return both;
    }

    /**
     * Evicts 20 thousand tokens a call until the tree is empty; small trees again and again, for calls enough. The one tree
     * for all stays: so many calls and no more.
     */
    Latencies evictPrefill() {
        BenchTree tree = filled(sequences.size());
        int callsPerTree = (int) (tree.tree().evictableUnits() / PREFILL_TOKENS + 1);
        if (oneTree) {
            int calls = Math.min(callsPerTree, PREFILL_CALLS);
            Latencies evict = new Latencies("evict(20K)", tree.tree().deviceLeaves(), calls);
            empty(tree, calls, evict);
            return evict;
        }
        int trees = Math.max(1, Math.min(steps, PREFILL_CALLS) / callsPerTree);
        Latencies evict = new Latencies("evict(20K)", tree.tree().deviceLeaves(), trees * callsPerTree);
        empty(tree, callsPerTree, evict);
        for (int more = 1; more < trees; more++) {
            empty(filled(sequences.size()), callsPerTree, evict);
        }
        return evict;
    }

    private static void empty(BenchTree tree, int calls, Latencies evict) {
        List<Latencies> measured = List.of(evict);
        Latencies.begin(measured);
        for (int call = 0; call < calls; call++) {
            evict.start();
            tree.tree().evict(PREFILL_TOKENS);
            evict.stop();
        }
        Latencies.done(measured);
    }

    /** A third of the queries is in the tree, a third goes on beyond it, a third is new. */
    Latencies match() {
        int known = oneTree ? sequences.size() : sequences.size() / 2;
        BenchTree tree = filled(known);
        Random random = new Random(123);
        int calls = Math.min(sequences.size(), steps * 10);
        Latencies match = new Latencies("match", tree.tree().deviceLeaves(), calls);
        List<Latencies> measured = List.of(match);
        Latencies.begin(measured);
        for (int call = 0; call < calls; call++) {
            int length = query(tree, random, known);
            match.start();
            tree.match(length);
            match.stop();
        }
        Latencies.done(measured);
        return match;
    }

    private int query(BenchTree tree, Random random, int known) {
        int kind = random.nextInt(3);
        int length = kind == 2 ? 0 : sequences.fill(random.nextInt(known), tree.tokens());
        int more = kind == 0 ? 0 : kind == 1 ? 10 + random.nextInt(90) : 50 + random.nextInt(250);
        int end = Math.min(tree.tokens().length, length + more);
        Arrays.fill(tree.tokens(), length, end, 1 + random.nextInt(VOCABULARY));
        return end;
    }

    /** Runs of a reader over a full tree. */
    ReadRuns reading() {
        return new ReadRuns(sequences, filled(sequences.size()), steps * 10);
    }

    /** Inserts all sequences into an empty tree, slots included. */
    Latencies insert() {
        BenchTree tree = empty(sequences.size());
        Latencies insert = new Latencies("insert", 0, sequences.size());
        List<Latencies> measured = List.of(insert);
        Latencies.begin(measured);
        for (int place = 0; place < sequences.size(); place++) {
            int length = sequences.fill(place, tree.tokens());
            insert.start();
            tree.insert(length);
            insert.stop();
        }
        Latencies.done(measured);
        keep(tree);
        return insert;
    }

    /** Locks and unlocks the end of a random sequence. */
    Latencies lockPair() {
        BenchTree tree = filled(sequences.size() / 2);
        Random random = new Random(99);
        int calls = Math.min(sequences.size() / 2, steps * 10);
        int[] nodes = new int[oneTree ? calls : sequences.size() / 2];
        for (int i = 0; i < nodes.length; i++) {
            int place = oneTree ? random.nextInt(sequences.size()) : i;
            nodes[i] = tree.match(sequences.fill(place, tree.tokens())).deviceNode();
        }
        Latencies lock = new Latencies("lock+unlock", tree.tree().deviceLeaves(), calls);
        List<Latencies> measured = List.of(lock);
        Latencies.begin(measured);
        for (int call = 0; call < calls; call++) {
            int node = nodes[random.nextInt(nodes.length)];
            lock.start();
            tree.tree().lock(node);
            tree.tree().unlock(node);
            lock.stop();
        }
        Latencies.done(measured);
        return lock;
    }

    /**
     * Ends of requests, 16 in flight: of all sequences, on a tree that grows with them; on the one tree for all of random ones,
     * after other runs evicted a part of it.
     */
    Latencies finish() {
        BenchTree tree = oneTree ? filled(sequences.size()) : empty(sequences.size());
        int requests = oneTree ? Math.min(sequences.size(), steps * 10) : sequences.size();
        Random random = new Random(5);
        Queue<Request> idle = new ArrayDeque<>(IN_FLIGHT);
        Queue<Request> running = new ArrayDeque<>(IN_FLIGHT);
        for (int i = 0; i < IN_FLIGHT; i++) {
            idle.add(new Request(sequences.longest()));
        }
        Latencies finish = new Latencies("finish", tree.tree().deviceLeaves(), requests);
        List<Latencies> measured = List.of(finish);
        Latencies.begin(measured);
        for (int i = 0; i < requests; i++) {
            if (idle.isEmpty()) {
                Request oldest = running.remove();
                finish.start();
                tree.finish(oldest);
                finish.stop();
                idle.add(oldest);
            }
            Request request = idle.remove();
            int place = oneTree ? random.nextInt(sequences.size()) : i;
            tree.admit(sequences.fill(place, tree.tokens()), request);
            running.add(request);
        }
        Latencies.done(measured);
        running.forEach(tree::finish);
        return finish;
    }

    /** Heap bytes a node, tokens and slots included, and units a node. */
    double[] bytesPerNode() {
        BenchTree tree = filled(sequences.size());
        double nodes = tree.tree().size();
        return new double[] {tree.bytes() / nodes, tree.tree().evictableUnits() / nodes};
    }

    /** Gives up the one tree. */
    void done() {
        kept = Optional.empty();
    }

    private void keep(BenchTree tree) {
        if (oneTree) {
            kept = Optional.of(tree);
        }
    }

    /** A tree of the first sequences; the one tree has all. */
    private BenchTree filled(int first) {
        if (kept.isPresent()) {
            return kept.get();
        }
        int count = oneTree ? sequences.size() : first;
        BenchTree tree = empty(count);
        for (int place = 0; place < count; place++) {
            tree.insert(sequences.fill(place, tree.tokens()));
        }
        keep(tree);
        return tree;
    }

    private BenchTree empty(int expected) {
        // beside the tree: the requests in flight
        long capacity = sequences.distinctTokens() + (IN_FLIGHT + 1L) * sequences.longest();
        return new BenchTree(
                options.withExpectedNodes(expected + expected / 2),
                (int) Math.min(Integer.MAX_VALUE - 8, capacity),
                sequences.longest() + 512);
    }
}
