package io.tidemark.index.policy;

import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every order against its naive model, a few hundred thousand operations each. */
class OrderDifferentialTest {
    private static final int SCRIPTS = 2_000;

    @ParameterizedTest
    @EnumSource(RecencyRule.class)
    void recencyListFollowsItsModel(RecencyRule rule) {
        new OrderScript(facts -> new RecencyList(rule), facts -> new NaiveRecency(rule, node -> false))
                .compare(1, SCRIPTS);
    }

    @Test
    void recencyListWithFirstsFollowsItsModel() {
        new OrderScript(
                        facts -> new RecencyList(RecencyRule.LRU, facts::incompleteTail),
                        facts -> new NaiveRecency(RecencyRule.LRU, facts::incompleteTail))
                .compare(10_001, SCRIPTS);
    }

    @Test
    void lazyHeapFollowsItsModelByOneTwoAndThreeParts() {
        bothHeaps(Keys::mru, 20_001);
        bothHeaps(Keys::lfu, 30_001);
        bothHeaps(Keys::priority, 40_001);
        bothHeaps(facts -> Keys.slru(facts, 2), 50_001);
        bothHeaps(facts -> Keys.prefixed(facts::priority, Keys.lfu(facts)), 60_001);
    }

    @Test
    void tiesGoByNodeId() {
        bothHeaps(facts -> Keys.one(facts::hits), 70_001);
    }

    private static void bothHeaps(Function<NodeFacts, KeyFunction> key, long seed) {
        Function<NodeFacts, VictimOrder> naive = facts -> new NaiveKeyOrder(key.apply(facts));
        new OrderScript(facts -> new LazyHeap(key.apply(facts)), naive).compare(seed, SCRIPTS);
        new OrderScript(facts -> new RebuiltHeap(key.apply(facts)), naive).compare(seed, SCRIPTS);
    }
}
