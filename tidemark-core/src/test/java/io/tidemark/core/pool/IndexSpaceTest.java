package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys and rows are accounted: the index evicts at its cap, and refuses when nothing may go. */
class IndexSpaceTest {
    private static final long LIMIT = 1 << 20;

    private static PoolHarness pool(int pages) {
        return PoolHarness.dram(
                pages, Marks.DEFAULT, limits -> limits.but().indexBytes(LIMIT).build());
    }

    private static BlockKey longKey(int name) {
        byte[] bytes = new byte[32_000];
        bytes[0] = (byte) name;
        bytes[1] = (byte) (name >>> 8);
        return BlockKey.of(bytes);
    }

    private static Answer put(PoolHarness pool, BlockKey key) {
        return PoolHarness.put(pool.session, key, value(1, 1), PutHints.NONE, PutMode.REPLACE);
    }

    private static double used(PoolHarness pool) {
        double[] used = {-1};
        pool.pool.counters(new CounterVisitor() {
            @Override
            public void counter(String name, String help, long value, String... labels) {}

            @Override
            public void gauge(String name, String help, double value, String... labels) {
                used[0] = name.equals("tidemark_index_bytes") ? value : used[0];
            }
        });
        return used[0];
    }

    @Test
    void longKeysWithoutEndAreEvictedBelowTheCapAndTheLatestStay() {
        try (PoolHarness pool = pool(4_096)) {
            for (int name = 0; name < 500; name++) {
                assertThat(put(pool, longKey(name))).isEqualTo(Answer.STORED);
                pool.settle();
                assertThat(used(pool)).isLessThanOrEqualTo(LIMIT);
            }
            assertThat(pool.pool.contains(longKey(499))).isTrue();
            assertThat(pool.pool.blocks()).isBetween(10L, 40L);
            assertThat(pool.counter("tidemark_index_evictions_total")).isPositive();
            pool.pool.clear();
            assertThat(used(pool)).isZero();
        }
    }

    @Test
    void shortKeysCountTheirRows() {
        try (PoolHarness pool = pool(16_384)) {
            for (int name = 0; name < 10_000; name++) {
                put(pool, key(name));
                pool.settle();
            }
            assertThat(pool.pool.blocks()).isBetween(4_000L, 7_000L);
        }
    }

    @Test
    void blocksThatWouldBeMovedDownGoFromEveryTier() {
        FarMedium below = new FarMedium("far0", 4_096);
        try (PoolHarness pool = PoolHarness.tiered(
                4_096,
                below,
                Marks.DEFAULT,
                limits -> limits.but().indexBytes(LIMIT).build())) {
            for (int name = 0; name < 100; name++) {
                assertThat(put(pool, longKey(name))).isEqualTo(Answer.STORED);
                if (name % 2 == 0) {
                    pool.pool.evict(EvictionRequest.of(longKey(name), EvictionReason.CAPACITY));
                }
                pool.settle();
            }
            assertThat(used(pool)).isLessThanOrEqualTo(LIMIT);
        }
    }

    @Test
    void noSpaceWhenEverythingIsHeldAndAWaiterIsCalledWhenItIsNot() {
        try (PoolHarness pool = pool(4_096)) {
            List<ReadResult.Pinned> pins = new ArrayList<>();
            int name = 0;
            while (put(pool, longKey(name)) == Answer.STORED) {
                pins.add((ReadResult.Pinned) pool.session.read(longKey(name++)));
            }
            assertThat(put(pool, longKey(name))).isEqualTo(Answer.NO_SPACE);
            List<String> calls = new ArrayList<>();
            assertThat(pool.session.awaitSpace(1, 1_000, () -> calls.add("called")))
                    .isTrue();
            pool.settle();
            assertThat(calls).isEmpty();
            pins.forEach(ReadResult.Pinned::close);
            pool.settle();
            pool.settle();
            assertThat(calls).containsExactly("called");
            assertThat(put(pool, longKey(name))).isEqualTo(Answer.STORED);
        }
    }

    @Test
    void whatPutsReservedComesBackHoweverTheyEnd() {
        try (PoolHarness pool = pool(64)) {
            pool.putPage(1);
            double one = used(pool);
            pool.putPage(1);
            pool.put(1, value(9, PAGE));
            PoolHarness.put(pool.session, key(1), value(1, 9), PutHints.NONE, PutMode.CREATE);
            PoolHarness.put(pool.session, key(2), value(1, 9), PutHints.NONE, PutMode.REPLACE_IF_PRESENT);
            pool.session.reserve(key(3), 65 * PAGE, PutHints.NONE, PutMode.REPLACE);
            ((Reserved.Reservation) pool.session.reserve(key(3), 1, PutHints.NONE, PutMode.REPLACE)).close();
            try (Session killed = pool.pool.session("killed")) {
                killed.reserve(key(4), 1, PutHints.NONE, PutMode.CREATE);
            }
            assertThat(used(pool)).isEqualTo(one);
        }
    }
}
