package io.tidemark.bench.stress;

import io.tidemark.index.prefix.CountedSlots;
import io.tidemark.index.prefix.Insertion;
import io.tidemark.index.prefix.MatchResult;
import io.tidemark.index.prefix.PrefixTree;
import io.tidemark.index.prefix.TokenKey;
import io.tidemark.index.prefix.TreeOptions;
import io.tidemark.index.prefix.TreeReader;
import io.tidemark.index.prefix.TreeServices;
import io.tidemark.index.prefix.TreeStats;
import java.util.Optional;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * The stamp of the prefix tree: what a reader without a lock is told is the tree between two calls of the writer. The
 * writer inserts one chain, or evicts all, in turn, so that a tree holds all of it or nothing.
 */
@JCStressTest
@Description("A writer inserts a chain or evicts it; a reader counts nodes and units, and matches the chain.")
@Outcome(id = "EMPTY, NONE", expect = Expect.ACCEPTABLE, desc = "Both between an eviction and an insert.")
@Outcome(id = "FULL, ALL", expect = Expect.ACCEPTABLE, desc = "Both between an insert and an eviction.")
@Outcome(id = "EMPTY, ALL", expect = Expect.ACCEPTABLE, desc = "The writer inserted between the two reads.")
@Outcome(id = "FULL, NONE", expect = Expect.ACCEPTABLE, desc = "The writer evicted between the two reads.")
@Outcome(id = "UNKNOWN, .*", expect = Expect.ACCEPTABLE, desc = "The writer was changing it at every try.")
@Outcome(id = ".*, UNKNOWN", expect = Expect.ACCEPTABLE, desc = "The same of the match.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Read from the middle of a change.")
@State
public class ReadBesideWriter {
    /** What a read was told. */
    enum Told {
        EMPTY,
        FULL,
        NONE,
        ALL,
        UNKNOWN,
        TORN
    }

    private static final int[] CHAIN = {1, 2, 3, 4, 5, 6, 7, 8, 9};

    private static final PrefixTree<CountedSlots> TREE =
            new PrefixTree<>(TreeOptions.DEFAULT, TreeServices.deviceOnly(CountedSlots.SLOTS));
    private static final TokenKey WRITTEN = new TokenKey();
    private static final Insertion<CountedSlots> INSERTION = new Insertion<>(CountedSlots.SLOTS);
    private static final ThreadLocal<Reading> READING = ThreadLocal.withInitial(Reading::new);

    /** What a reader's thread keeps. */
    private static final class Reading {
        private final TreeReader reader = TREE.reader();
        private final TokenKey key = new TokenKey().set(0, CHAIN, CHAIN.length);
        private final MatchResult result = new MatchResult();
    }

    /** The writer; jcstress may run several, the tree has one at a time. */
    @Actor
    public void writer() {
        synchronized (TREE) {
            if (TREE.size() > 0) {
                TREE.evict(Long.MAX_VALUE);
            } else {
                TREE.insert(WRITTEN.set(0, CHAIN, CHAIN.length), INSERTION);
            }
        }
    }

    /** The reader. */
    @Actor
    public void reader(LL_Result result) {
        Reading reading = READING.get();
        Optional<TreeStats> stats = reading.reader.stats();
        result.r1 = stats.map(ReadBesideWriter::told).orElse(Told.UNKNOWN);
        result.r2 = reading.reader.match(reading.key, reading.result) ? told(reading.result.length()) : Told.UNKNOWN;
    }

    private static Told told(TreeStats stats) {
        if (stats.nodes() == 0 && stats.evictableUnits() == 0 && stats.deviceLeaves() == 0) {
            return Told.EMPTY;
        }
        boolean full = stats.nodes() == 1 && stats.evictableUnits() == CHAIN.length && stats.deviceLeaves() == 1;
        return full ? Told.FULL : Told.TORN;
    }

    private static Told told(int length) {
        return length == 0 ? Told.NONE : length == CHAIN.length ? Told.ALL : Told.TORN;
    }
}
