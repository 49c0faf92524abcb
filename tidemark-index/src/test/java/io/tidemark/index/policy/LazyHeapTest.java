package io.tidemark.index.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LazyHeapTest {
    private final OrderScript.Facts facts = new OrderScript.Facts(5_000);

    @Test
    void keysMayBecomeMoreUrgentAsWellAsLess() {
        LazyHeap order = new LazyHeap(Keys.priority(facts));
        for (int node = 0; node < 4; node++) {
            facts.priority[node] = 10L + node;
            order.added(node);
        }
        facts.priority[3] = 1;
        order.touched(3);
        facts.priority[0] = 20;
        order.touched(0);
        assertThat(Walks.order(order)).containsExactly(3, 1, 2, 0);
    }

    @Test
    void aKeyThatReturnsToItsOldValueYieldsTheNodeOnce() {
        LazyHeap order = new LazyHeap(Keys.lfu(facts));
        order.added(1);
        facts.hits[1] = 5;
        order.touched(1);
        facts.hits[1] = 0;
        order.touched(1);
        assertThat(Walks.order(order)).containsExactly(1);
        assertThat(Walks.order(order)).containsExactly(1);
    }

    @Test
    void aTouchThatLeavesTheKeyAloneCostsNoEntry() {
        LazyHeap order = new LazyHeap(Keys.fifo(facts));
        order.added(1);
        for (int use = 0; use < 100; use++) {
            order.touched(1);
        }
        assertThat(order.entries()).isEqualTo(1);
    }

    @Test
    void thereIsOneEntryAMemberAfterEveryCall() {
        LazyHeap order = new LazyHeap(Keys.lfu(facts));
        Random random = new Random(7);
        for (int step = 0; step < 200_000; step++) {
            int node = random.nextInt(500);
            switch (random.nextInt(8)) {
                case 0 -> order.added(node);
                case 1 -> order.removed(node);
                case 2 -> walkAndFree(order, random.nextInt(5));
                default -> {
                    facts.hits[node] = random.nextInt(1000);
                    order.touched(node);
                }
            }
            assertThat(order.entries()).isEqualTo(order.size());
        }
    }

    /** Orders are kept under a lock that every read takes: the longest call counts, not the mean. */
    @Test
    void noCallCostsMoreThanTheHeightOfTheHeapAndNoneCopiesWhatIsThere() {
        int nodes = 1_000_000;
        OrderScript.Facts many = new OrderScript.Facts(nodes);
        LazyHeap order = new LazyHeap(Keys.lfu(many));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Random random = new Random(11);
        long mostMoves = 0;
        long mostBytes = 0;
        for (int step = 0; step < 3 * nodes; step++) {
            int node = step < nodes ? step : random.nextInt(nodes);
            many.hits[node] = step < nodes ? nodes - step : random.nextInt(nodes);
            long moves = order.moves();
            long bytes = threads.getCurrentThreadAllocatedBytes();
            change(order, node, step < nodes ? 0 : random.nextInt(6));
            mostBytes = Math.max(mostBytes, threads.getCurrentThreadAllocatedBytes() - bytes);
            mostMoves = Math.max(mostMoves, order.moves() - moves);
        }
        int height = 10; // of a 4-ary heap of a million
        assertThat(mostMoves).isLessThanOrEqualTo(height + 1);
        assertThat(mostBytes).as("a page or two").isLessThan(128 << 10);
        assertThat(order.entries()).isEqualTo(order.size());
    }

    private static void change(LazyHeap order, int node, int kind) {
        switch (kind) {
            case 0 -> order.added(node);
            case 1 -> order.removed(node);
            default -> order.touched(node);
        }
    }

    @Test
    void fiveThousandUsesKeepItCompact() {
        LazyHeap order = new LazyHeap(Keys.lru(facts));
        for (int node = 0; node < 10; node++) {
            order.added(node);
        }
        for (int use = 0; use < 5_000; use++) {
            facts.lastAccess[use % 10] = use;
            order.touched(use % 10);
            assertThat(order.entries()).isEqualTo(10);
        }
    }

    @Test
    void aNodeThatLeavesAndReturnsInAWalkWaitsForItsEnd() {
        LazyHeap order = new LazyHeap(Keys.lru(facts));
        order.added(1);
        order.added(2);
        order.beginWalk();
        order.removed(2);
        order.added(2);
        assertThat(Walks.rest(order)).containsExactly(1);
        order.endWalk();
        assertThat(Walks.order(order)).containsExactly(1, 2);
    }

    @Test
    void keysOfMoreThanThreePartsAreRefused() {
        KeyFunction three = Keys.prefixed(facts::hits, Keys.lfu(facts));
        assertThatThrownBy(() -> Keys.prefixed(facts::hits, three)).hasMessageContaining("max 2");
    }

    @Test
    void negativeNodesAreRefused() {
        LazyHeap order = new LazyHeap(Keys.lru(facts));
        assertThatThrownBy(() -> order.added(-3)).hasMessageContaining("got -3");
    }

    private static void walkAndFree(LazyHeap order, int count) {
        order.beginWalk();
        for (int i = 0; i < count; i++) {
            int node = order.popNext();
            if (node != VictimOrder.NONE && node % 2 == 0) {
                order.removed(node);
            }
            assertThat(order.entries()).isLessThanOrEqualTo(order.size());
        }
        order.endWalk();
    }
}
