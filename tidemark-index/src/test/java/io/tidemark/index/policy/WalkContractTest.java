package io.tidemark.index.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every order promises about walks, on least recently used. */
class WalkContractTest {
    enum Kind {
        RECENCY_LIST,
        LAZY_HEAP,
        REBUILT_HEAP,
        AGED,
        TIDE
    }

    private final OrderScript.Facts facts = new OrderScript.Facts(100) {
        @Override
        public boolean incompleteTail(int node) {
            return false;
        }
    };
    private long tick;

    @ParameterizedTest
    @EnumSource(Kind.class)
    void coldestGoesFirstAndUsesMoveANode(Kind kind) {
        VictimOrder order = filled(kind, 1, 2, 3);
        use(order, 1);
        assertThat(Walks.order(order)).containsExactly(2, 3, 1);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void removedNodesAreNotOffered(Kind kind) {
        VictimOrder order = filled(kind, 1, 2, 3);
        order.removed(2);
        order.removed(2);
        assertThat(Walks.order(order)).containsExactly(1, 3);
        assertThat(order.contains(2)).isFalse();
        assertThat(order.size()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void usesOfStrangersAreIgnored(Kind kind) {
        VictimOrder order = filled(kind, 1);
        order.touched(7);
        order.touchedBehind(7, 1);
        order.removed(7);
        assertThat(Walks.order(order)).containsExactly(1);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aWalkSeesTheKeysOfItsBeginning(Kind kind) {
        VictimOrder order = filled(kind, 1, 2, 3);
        order.beginWalk();
        use(order, 1);
        assertThat(Walks.rest(order)).containsExactly(1, 2, 3);
        order.endWalk();
        assertThat(Walks.order(order)).containsExactly(2, 3, 1);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void entrantsWaitForTheNextWalk(Kind kind) {
        VictimOrder order = filled(kind, 1, 2);
        order.beginWalk();
        add(order, 3);
        assertThat(order.contains(3)).isTrue();
        assertThat(Walks.rest(order)).containsExactly(1, 2);
        order.endWalk();
        assertThat(Walks.order(order)).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aPromotedEntrantTakesPart(Kind kind) {
        VictimOrder order = filled(kind, 1, 2);
        order.beginWalk();
        assertThat(order.popNext()).isEqualTo(1);
        order.removed(1);
        add(order, 3);
        order.promote(3);
        assertThat(Walks.rest(order)).containsExactly(2, 3);
        order.endWalk();
        assertThat(Walks.order(order)).containsExactly(2, 3);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aPromotedEntrantIsSeenEvenWhenNothingWasLeft(Kind kind) {
        VictimOrder order = filled(kind, 1);
        order.beginWalk();
        assertThat(Walks.rest(order)).containsExactly(1);
        add(order, 2);
        order.promote(2);
        assertThat(Walks.rest(order)).containsExactly(2);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aDeclinedVictimIsYieldedOnceAWalkAndKeepsItsPlace(Kind kind) {
        VictimOrder order = filled(kind, 1, 2, 3);
        order.beginWalk();
        assertThat(order.popNext()).isEqualTo(1);
        order.promote(1);
        assertThat(Walks.rest(order)).containsExactly(2, 3);
        order.endWalk();
        assertThat(Walks.order(order)).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aNodeRemovedAheadOfTheWalkIsSkipped(Kind kind) {
        VictimOrder order = filled(kind, 1, 2, 3);
        order.beginWalk();
        assertThat(order.popNext()).isEqualTo(1);
        order.removed(2);
        assertThat(order.popNext()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aSecondWalkIsRefusedWhileOneRuns(Kind kind) {
        VictimOrder order = filled(kind, 1);
        order.beginWalk();
        assertThatThrownBy(order::beginWalk).isInstanceOf(IllegalStateException.class);
        order.endWalk();
        assertThatThrownBy(order::popNext).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void anExceptionInAWalkLeavesTheOrderWhole(Kind kind) {
        VictimOrder order = filled(kind, 1, 2, 3);
        assertThatThrownBy(() -> {
                    order.beginWalk();
                    try {
                        order.removed(order.popNext());
                        order.popNext();
                        throw new IllegalStateException("the medium failed");
                    } finally {
                        order.endWalk();
                    }
                })
                .hasMessage("the medium failed");
        assertThat(Walks.order(order)).containsExactly(2, 3);
        assertThat(order.size()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void clearEmptiesTheOrderAndEndsAWalk(Kind kind) {
        VictimOrder order = filled(kind, 1, 2, 3);
        order.beginWalk();
        assertThat(order.popNext()).isEqualTo(1);
        order.clear();
        assertThat(order.size()).isZero();
        assertThat(Walks.order(order)).isEmpty();
        add(order, 3);
        assertThat(Walks.order(order)).containsExactly(3);
    }

    private VictimOrder filled(Kind kind, int... nodes) {
        VictimOrder order = switch (kind) {
            case RECENCY_LIST -> new RecencyList(RecencyRule.LRU);
            case LAZY_HEAP -> new LazyHeap(Keys.lru(facts));
            case REBUILT_HEAP -> new RebuiltHeap(Keys.lru(facts));
            case AGED -> new AgedOrder(facts);
            case TIDE -> TideOrder.ofMembers(facts);
        };
        for (int node : nodes) {
            add(order, node);
        }
        return order;
    }

    private void add(VictimOrder order, int node) {
        facts.lastAccess[node] = ++tick;
        order.added(node);
    }

    private void use(VictimOrder order, int node) {
        facts.lastAccess[node] = ++tick;
        order.touched(node);
    }
}
