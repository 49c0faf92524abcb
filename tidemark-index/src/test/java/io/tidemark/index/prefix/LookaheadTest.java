package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidemark.index.policy.RecencyList;
import io.tidemark.index.policy.RecencyRule;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What was read ahead may be gone when its turn comes: evicted in the order of a component, or with the whole tree. */
class LookaheadTest {
    /** So many that the tokens of one node fill more than the first chunk of the arena, which is always there. */
    private static final int UNITS = 1 << 20;

    /** How nodes go. */
    enum Way {
        REMOVED,
        WITH_ALL_OTHERS,
        OFF_THE_DEVICE
    }

    private final TreeParts<CountedSlots> tree =
            new TreeParts<>(TreeOptions.DEFAULT, TreeServices.deviceOnly(CountedSlots.SLOTS), LeafSets::new);
    private final Lookahead lookahead = new Lookahead(tree);
    private final RecencyList order = new RecencyList(RecencyRule.LRU);

    @ParameterizedTest
    @EnumSource
    void nodesThatWentBetweenTwoStepsAreNotRead(Way way) {
        for (int leaf = 1; leaf <= 4; leaf++) {
            assertThat(leaf()).isEqualTo(leaf);
        }
        order.beginWalk();
        int victim = order.popNext();
        lookahead.step(order, victim);
        tree.tokens().clear();
        go(way);
        assertThatCode(() -> lookahead.step(order, victim)).doesNotThrowAnyException();
    }

    private void go(Way way) {
        Nodes nodes = tree.nodes();
        for (int leaf = 1; leaf < 4 && way != Way.WITH_ALL_OTHERS; leaf++) {
            if (way == Way.REMOVED) {
                nodes.remove(leaf);
            } else {
                nodes.clear(leaf, Nodes.DEVICE);
            }
        }
        if (way == Way.WITH_ALL_OTHERS) {
            nodes.clear();
        }
    }

    private int leaf() {
        int node = tree.nodes().create();
        tree.tokens().store(node, new int[UNITS], 0, UNITS);
        tree.nodes().length(node, UNITS);
        tree.nodes().parent(node, Nodes.ROOT);
        tree.nodes().set(node, Nodes.DEVICE);
        order.added(node);
        return node;
    }
}
