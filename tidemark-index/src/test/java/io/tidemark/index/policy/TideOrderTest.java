package io.tidemark.index.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TideOrderTest {
    /** A store of blocks under an order, as small as can be: a slot a block, hits counted, one victim at a time. */
    private static final class Store implements NodeFacts {
        private final int capacity;
        private final VictimOrder order;
        private final Map<Long, Integer> slots = new HashMap<>();
        private final long[] blocks;
        private final long[] hits;
        private final long[] lastAccess;
        private long tick;

        Store(int capacity, Function<NodeFacts, VictimOrder> orders) {
            this.capacity = capacity;
            this.blocks = new long[capacity];
            this.hits = new long[capacity];
            this.lastAccess = new long[capacity];
            this.order = orders.apply(this);
        }

        /** Reads the block and stores it when it is not there; whether it was. */
        boolean read(long block) {
            Integer slot = slots.get(block);
            if (slot != null) {
                hits[slot]++;
                lastAccess[slot] = ++tick;
                order.touched(slot);
                return true;
            }
            int free = slots.size() < capacity ? slots.size() : evict();
            blocks[free] = block;
            hits[free] = 0;
            lastAccess[free] = ++tick;
            slots.put(block, free);
            order.added(free);
            return false;
        }

        private int evict() {
            order.beginWalk();
            int victim = order.popNext();
            order.removed(victim);
            order.endWalk();
            assertThat(slots.remove(blocks[victim])).isEqualTo(victim);
            return victim;
        }

        @Override
        public long lastAccess(int node) {
            return lastAccess[node];
        }

        @Override
        public long created(int node) {
            return 0;
        }

        @Override
        public long hits(int node) {
            return hits[node];
        }

        @Override
        public long priority(int node) {
            return 0;
        }

        @Override
        public boolean incompleteTail(int node) {
            return false;
        }

        @Override
        public long identity(int node) {
            return blocks[node];
        }
    }

    @Test
    void g07_aScanDoesNotDriveTheHotSetOut() {
        assertThat(hotHitsPercent(TideOrder::ofMembers)).isGreaterThanOrEqualTo(90);
        assertThat(hotHitsPercent(facts -> new RecencyList(RecencyRule.LRU)))
                .as("plain LRU loses them between two reads")
                .isLessThan(10);
    }

    /** Room for 100; 20 keys are each read every 200 operations, the others are new and never read again. */
    private static double hotHitsPercent(Function<NodeFacts, VictimOrder> orders) {
        Store store = new Store(100, orders);
        long scanned = 1_000;
        int reads = 0;
        int found = 0;
        for (int warm = 0; warm < 3; warm++) {
            for (long hot = 0; hot < 20; hot++) {
                store.read(hot);
            }
        }
        for (int op = 0; op < 60_000; op++) {
            if (op % 10 == 0) {
                boolean hit = store.read(op / 10 % 20);
                boolean learned = op > 20_000;
                reads += learned ? 1 : 0;
                found += hit && learned ? 1 : 0;
            } else {
                store.read(scanned++);
            }
        }
        return 100.0 * found / reads;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyMemberIsYieldedOnceWhateverHappensBetweenWalks(long seed) {
        Random random = new Random(seed);
        OrderScript.Facts facts = new OrderScript.Facts(60);
        VictimOrder order = TideOrder.ofMembers(facts);
        LinkedHashSet<Integer> members = new LinkedHashSet<>();
        for (int step = 0; step < 3_000; step++) {
            int node = random.nextInt(60);
            switch (random.nextInt(4)) {
                case 0 -> {
                    facts.created[node] = members.contains(node) ? facts.created[node] : step;
                    order.added(node);
                    members.add(node);
                }
                case 1 -> {
                    order.removed(node);
                    members.remove(node);
                }
                case 2 -> {
                    facts.hits[node]++;
                    order.touched(node);
                }
                default -> {
                    List<Integer> first = Walks.order(order);
                    assertThat(first).containsExactlyInAnyOrderElementsOf(members);
                    assertThat(Walks.order(order))
                            .as("declined ones keep their place")
                            .isEqualTo(first);
                }
            }
        }
        order.clear();
        assertThat(Walks.order(order)).isEmpty();
    }

    @Test
    void ghostsAreBoundedByTheTier() {
        int[] forgotten = {0};
        TideGhosts ghosts = new TideGhosts(4, use -> forgotten[0]++);
        ghosts.fit(100);
        assertThat(ghosts.capacity()).isEqualTo(512);
        for (int block = 1; block <= 5_000; block++) {
            ghosts.put(block, TideUse.of(block, 0, false, block % 3));
        }
        assertThat(forgotten[0]).isBetween(5_000 - 512, 5_000 - 256);
        assertThat(TideUse.tick(ghosts.take(5_000))).isEqualTo(5_000);
        assertThat(ghosts.take(5_000)).isEqualTo(TideUse.NEVER);
        assertThat(ghosts.take(1)).isEqualTo(TideUse.NEVER);
        ghosts.fit(3_000_000);
        assertThat(ghosts.capacity()).as("one a block beyond a million").isEqualTo(1 << 22);
    }

    @Test
    void ranksAreThoseOfAStableSort() {
        Random random = new Random(3);
        TideRanks ranks = new TideRanks(1_001);
        double[] worth =
                random.doubles(1_000, 0, 1).map(value -> Math.floor(value * 50)).toArray();
        ranks.begin(1_000);
        for (int list = 0; list < 1_000; list++) {
            ranks.add(list, worth[list]);
        }
        ranks.sort();
        assertThat(ranks.list(0)).isEqualTo(1_000);
        for (int rank = 2; rank <= 1_000; rank++) {
            int before = ranks.list(rank - 1);
            int list = ranks.list(rank);
            assertThat(worth[before] < worth[list] || (worth[before] == worth[list] && before < list))
                    .isTrue();
            assertThat(ranks.rankOf(list)).isEqualTo(rank);
        }
    }

    @Test
    void theShadowHoldsWhatLruWould() {
        ShadowLru shadow = new ShadowLru();
        LinkedHashSet<Long> model = new LinkedHashSet<>();
        Random random = new Random(11);
        for (int i = 0; i < 50_000; i++) {
            int capacity = 100 + i / 1_000 * 5;
            long block = (long) (Math.abs(random.nextGaussian()) * 150);
            boolean held = model.remove(block);
            assertThat(shadow.reference(block, capacity)).isEqualTo(held);
            while (!held && model.size() >= capacity) {
                model.removeFirst();
            }
            model.add(block);
        }
    }

    @Test
    void aTierThatFollowsLruLetsIncompleteTailsGoFirst() {
        int tail = 40;
        NodeFacts facts = new Described(tail);
        TideOrder order = TideOrder.of(facts, () -> 100);
        order.rankByAge(true);
        for (int node = 0; node <= tail; node++) { // 32 make a tick, so that the tail is younger than the first
            order.added(node);
        }
        order.beginWalk();
        assertThat(order.popNext()).isEqualTo(tail);
        assertThat(order.popNext()).isZero();
        order.endWalk();
    }

    /** Blocks without any use, one of them an incomplete tail. */
    private record Described(int tail) implements NodeFacts {
        @Override
        public long lastAccess(int node) {
            return node;
        }

        @Override
        public long created(int node) {
            return node;
        }

        @Override
        public long hits(int node) {
            return 0;
        }

        @Override
        public long priority(int node) {
            return 0;
        }

        @Override
        public boolean incompleteTail(int node) {
            return node == tail;
        }
    }
}
