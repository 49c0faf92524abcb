package io.tidemark.index.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecencyListTest {
    @Test
    void ofAChainOfEqualRecencyTheTailGoesFirst() {
        RecencyList order = filled(RecencyRule.LRU, 10, 20, 30, 40);
        order.touched(20);
        order.touchedBehind(30, 20);
        order.touchedBehind(40, 30);
        assertThat(Walks.order(order)).containsExactly(10, 40, 30, 20);
    }

    @Test
    void behindAStrangerOrItselfIsAPlainUse() {
        RecencyList order = filled(RecencyRule.LRU, 1, 2, 3);
        order.touchedBehind(1, 99);
        order.touchedBehind(2, 2);
        order.touchedBehind(3, VictimOrder.NONE);
        assertThat(Walks.order(order)).containsExactly(1, 2, 3);
    }

    @Test
    void fifoIgnoresUses() {
        RecencyList order = filled(RecencyRule.FIFO, 1, 2, 3);
        order.touched(1);
        order.touchedBehind(2, 3);
        assertThat(Walks.order(order)).containsExactly(1, 2, 3);
    }

    @Test
    void followingIsWhatTheWalkComesToAndYieldsNothing() {
        RecencyList order = filled(RecencyRule.LRU, 1, 2, 3, 4);
        order.beginWalk();
        assertThat(order.following(VictimOrder.NONE)).as("before the first").isEqualTo(1);
        assertThat(order.popNext()).isEqualTo(1);
        assertThat(order.following(VictimOrder.NONE)).isEqualTo(2);
        assertThat(order.following(2)).isEqualTo(3);
        order.removed(3);
        assertThat(order.following(2)).isEqualTo(4);
        assertThat(order.following(3)).as("gone").isEqualTo(VictimOrder.NONE);
        assertThat(order.following(4)).as("the last").isEqualTo(VictimOrder.NONE);
        assertThat(Walks.rest(order)).containsExactly(2, 4);
        assertThat(order.following(VictimOrder.NONE)).isEqualTo(VictimOrder.NONE);
        order.endWalk();
    }

    @Test
    void mruOffersTheLastUsedFirst() {
        RecencyList order = filled(RecencyRule.MRU, 1, 2, 3);
        order.touched(1);
        assertThat(Walks.order(order)).containsExactly(1, 3, 2);
    }

    @Test
    void filoOffersTheNewestFirst() {
        RecencyList order = filled(RecencyRule.FILO, 1, 2, 3);
        order.touched(1);
        assertThat(Walks.order(order)).containsExactly(3, 2, 1);
    }

    @Test
    void incompleteTailsGoBeforeEverythingElse() {
        RecencyList order = new RecencyList(RecencyRule.LRU, node -> node >= 100);
        for (int node : new int[] {1, 100, 2, 101}) {
            order.added(node);
        }
        order.touched(100);
        order.touchedBehind(101, 2);
        assertThat(Walks.order(order)).containsExactly(100, 101, 1, 2);
    }

    @Test
    void aTailThatWasCompletedLeavesItsSegmentWithTheNextUse() {
        boolean[] incomplete = new boolean[3];
        incomplete[2] = true;
        RecencyList order = new RecencyList(RecencyRule.LRU, node -> incomplete[node]);
        order.added(1);
        order.added(2);
        assertThat(Walks.order(order)).containsExactly(2, 1);
        incomplete[2] = false;
        order.touched(2);
        assertThat(Walks.order(order)).containsExactly(1, 2);
    }

    private static RecencyList filled(RecencyRule rule, int... nodes) {
        RecencyList order = new RecencyList(rule);
        for (int node : nodes) {
            order.added(node);
        }
        return order;
    }
}
