package io.tidemark.bench.index;

import io.tidemark.index.prefix.MatchResult;
import io.tidemark.index.prefix.TokenKey;
import io.tidemark.index.prefix.TreeReader;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** A reader on a thread of its own: first with the tree at rest, then beside a writer that does nothing but change it. */
final class ReadRuns {
    private static final int STEP_TOKENS = 64;

    private final Sequences sequences;
    private final BenchTree tree;
    private final int calls;
    private final TokenKey key = new TokenKey();
    private final MatchResult result = new MatchResult();
    private final int[] tokens;
    private int unanswered;
    private long changes;

    /** Runs over a full tree, which the caller gives up. */
    ReadRuns(Sequences sequences, BenchTree tree, int calls) {
        this.sequences = sequences;
        this.tree = tree;
        this.calls = calls;
        this.tokens = new int[sequences.longest()];
    }

    List<Latencies> run() throws Exception {
        Latencies atRest = new Latencies("read", tree.tree().deviceLeaves(), calls);
        Latencies beside = new Latencies("read beside", tree.tree().deviceLeaves(), calls);
        read(atRest);
        AtomicBoolean done = new AtomicBoolean();
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<Long> writer = thread.submit(() -> change(done));
            try {
                read(beside);
            } finally {
                done.set(true);
            }
            changes = writer.get();
        }
        return List.of(atRest, beside);
    }

    /** What the last run saw of the writer, and what it was not told. */
    String note() {
        return "read beside: " + unanswered + " of " + calls + " reads unanswered, " + changes + " changes meanwhile";
    }

    private void read(Latencies latencies) {
        TreeReader reader = tree.tree().reader();
        Random random = new Random(11);
        List<Latencies> measured = List.of(latencies);
        Latencies.begin(measured);
        for (int call = 0; call < calls; call++) {
            key.set(0, tokens, sequences.fill(random.nextInt(sequences.size()), tokens));
            latencies.start();
            boolean answered = reader.match(key, result);
            latencies.stop();
            unanswered += answered ? 0 : 1;
        }
        Latencies.done(measured);
    }

    /** Inserts sequences again and evicts for them; answers how many calls that were. */
    private long change(AtomicBoolean done) {
        Random random = new Random(7);
        long count = 0;
        while (!done.get()) {
            int length = sequences.fill(random.nextInt(sequences.size()), tree.tokens());
            tree.tree().evict(STEP_TOKENS);
            tree.insert(length);
            count += 2;
        }
        return count;
    }
}
