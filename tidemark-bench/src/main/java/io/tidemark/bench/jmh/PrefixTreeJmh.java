package io.tidemark.bench.jmh;

import io.tidemark.index.prefix.CountedSlots;
import io.tidemark.index.prefix.Insertion;
import io.tidemark.index.prefix.MatchResult;
import io.tidemark.index.prefix.PrefixTree;
import io.tidemark.index.prefix.TokenKey;
import io.tidemark.index.prefix.TreeOptions;
import io.tidemark.index.prefix.TreePolicy;
import io.tidemark.index.prefix.TreeServices;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The prefix tree at a steady size, without slots: prompts of 8 pages of 64 tokens, of which 4 are shared. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PrefixTreeJmh {
    private static final int PAGE = 64;
    private static final int PAGES = 8;
    private static final int FAMILIES = 512;

    /** Prompts in the tree. */
    @Param({"3500", "35000"})
    private int prompts;

    /** Eviction policy. */
    @Param({"lru", "lfu"})
    private String policy = "lru";

    private final int[] tokens = new int[PAGE * PAGES];
    private final TokenKey key = new TokenKey();
    private final MatchResult match = new MatchResult();
    private final Insertion<CountedSlots> insertion = new Insertion<>(CountedSlots.SLOTS);
    private final Random random = new Random(1);
    private PrefixTree<CountedSlots> tree =
            new PrefixTree<>(TreeOptions.DEFAULT, TreeServices.deviceOnly(CountedSlots.SLOTS));
    private long capacity;

    /** Fills the tree. */
    @Setup
    public void fill() {
        TreeOptions options = TreeOptions.DEFAULT.withPageSize(PAGE).withPolicy(TreePolicy.named(policy));
        tree = new PrefixTree<>(options, TreeServices.deviceOnly(CountedSlots.SLOTS));
        for (int i = 0; i < prompts; i++) {
            tree.insert(prompt(), insertion);
        }
        capacity = tree.evictableUnits();
    }

    /** Finds a prompt whose first half is likely to be there. */
    @Benchmark
    public int match() {
        tree.match(prompt(), match);
        return match.deviceLength();
    }

    /** Stores a prompt and evicts what it was too much. */
    @Benchmark
    public long insertAndEvict() {
        tree.insert(prompt(), insertion);
        return tree.evict(tree.evictableUnits() - capacity);
    }

    /** Locks and unlocks what a match found. */
    @Benchmark
    public int matchAndLockPair() {
        tree.match(prompt(), match);
        tree.lock(match.deviceNode());
        tree.unlock(match.deviceNode());
        return match.deviceNode();
    }

    private TokenKey prompt() {
        int family = random.nextInt(FAMILIES);
        int unique = random.nextInt();
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = i < tokens.length / 2 ? family + i : unique + i;
        }
        return key.set(0, tokens);
    }
}
