package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HostEvictorTest {
    private static final int LEAVES = 35_000;
    private static final int UNITS = 16;
    private static final int VICTIMS = 4;

    /** A list that counts how often it is asked for a victim. */
    private static final class Counting implements TreeParts.LeafSetsFactory {
        private int asked;

        @Override
        public LeafSets create(Nodes nodes, TreeOrders orders, Duplicates duplicates) {
            return new LeafSets(nodes, orders, duplicates);
        }

        @Override
        public Duplicates duplicates(Nodes nodes, HostFields fields) {
            return new Duplicates(nodes, fields) {
                @Override
                int take(Kind kind) {
                    asked++;
                    return super.take(kind);
                }
            };
        }
    }

    /** Transfers that are done when the caller says so, and what the host gave up, by the path's first token. */
    private static final class Owner implements Transfers, TreeListener {
        private final Queue<Integer> writes = new ArrayDeque<>();
        private final List<Integer> dropped = new ArrayList<>();
        private PrefixTree<CountedSlots> tree =
                new PrefixTree<>(TreeOptions.DEFAULT, TreeServices.deviceOnly(CountedSlots.SLOTS));

        @Override
        public void write(int node) {
            writes.add(node);
        }

        @Override
        public void load(int node) {}

        @Override
        public void awaitWrites() {
            while (!writes.isEmpty()) {
                tree.writeDone(writes.remove());
            }
        }

        @Override
        public void dropDuplicate(int node) {
            dropped.add(tree.path(node)[0]);
        }
    }

    @Test
    void g62_aSweepLooksAtItsVictimsAndNotAtTheLeavesThatWereLoadedBack() {
        Counting counting = new Counting();
        Owner owner = new Owner();
        owner.tree = new PrefixTree<>(
                TreeOptions.DEFAULT.withHost(HostOptions.of(WritePolicy.WRITE_BACK)),
                TreeServices.deviceOnly(CountedSlots.SLOTS)
                        .withRoom(() -> Long.MAX_VALUE)
                        .withListener(owner)
                        .withHost(new CountedHost((long) LEAVES * UNITS), owner),
                counting);
        TokenKey key = new TokenKey();
        MatchResult match = new MatchResult();
        for (int leaf = 0; leaf < LEAVES; leaf++) {
            owner.tree.insert(key.set(0, tokens(leaf)), new Insertion<>(CountedSlots.SLOTS));
        }
        owner.tree.evict(Long.MAX_VALUE);
        for (int leaf = 0; leaf < LEAVES; leaf++) {
            owner.tree.match(key.set(0, tokens(leaf)), match);
            assertThat(owner.tree.loadBack(match.bestNode())).isEqualTo(LoadBack.STARTED);
            owner.tree.loadDone(match.bestNode());
        }
        counting.asked = 0;
        for (int call = 1; call <= 10; call++) {
            assertThat(owner.tree.evictHost(VICTIMS * UNITS)).isEqualTo(VICTIMS * UNITS);
            // once in vain for a node that is no leaf
            assertThat(counting.asked).isEqualTo(call * (VICTIMS + 1));
        }
        assertThat(owner.dropped)
                .containsExactlyElementsOf(
                        IntStream.range(0, 10 * VICTIMS).boxed().toList());
        owner.tree.sanityCheck();
    }

    private static int[] tokens(int leaf) {
        int[] tokens = new int[UNITS];
        tokens[0] = leaf;
        return tokens;
    }
}
