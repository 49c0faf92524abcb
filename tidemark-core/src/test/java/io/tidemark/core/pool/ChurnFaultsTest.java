package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What must stay flat however long blocks come and go: heap, memory outside of it, and every account of the pool. */
class ChurnFaultsTest {
    private static final int SETTLE_EACH = 25;
    private static final int LONG_LIVED_KEPT = 64;

    @Test
    void g34_memory_stays_flat_while_blocks_come_and_go() {
        flat(100_000);
    }

    @Test
    @Tag("soak")
    void g34_memory_stays_flat_over_ten_million_cycles() {
        flat(10_000_000);
    }

    private static void flat(int cycles) {
        try (PoolHarness pool = PoolHarness.dram(512, new Marks(0.9, 0.7))) {
            churn(pool, 0, 50_000);
            Footprint before = Footprint.now();
            churn(pool, 50_000, 50_000 + cycles);
            Footprint after = Footprint.now();
            assertThat(after.heapBytes()).isLessThan(before.heapBytes() + before.heapBytes() / 50 + 512 * 1024);
            assertThat(after.directBytes()).isLessThanOrEqualTo(before.directBytes());
            assertThat(pool.counter("tidemark_no_space_total")).isZero();
            for (int name = 0; name < LONG_LIVED_KEPT; name++) {
                assertThat(pool.get("long-lived-" + name)).isEqualTo(value(name, PAGE));
            }
        }
    }

    /** Puts new blocks, and reads one of the long-lived ones, which are stored in between, now and then. */
    private static void churn(PoolHarness pool, int from, int to) {
        byte[] bytes = value(1, PAGE);
        for (int cycle = from; cycle < to; cycle++) {
            assertThat(pool.put(cycle, bytes)).isEqualTo(Answer.STORED);
            if (cycle % SETTLE_EACH == 0) {
                pool.settle();
            }
            int name = cycle % LONG_LIVED_KEPT;
            if (cycle < LONG_LIVED_KEPT) {
                assertThat(pool.put("long-lived-" + name, value(name, PAGE))).isEqualTo(Answer.STORED);
            } else {
                assertThat(pool.session.lookup(PoolHarness.key("long-lived-" + name)))
                        .isPresent();
                pool.pin("long-lived-" + name).close();
            }
        }
        pool.settle();
    }

    private record Footprint(long heapBytes, long directBytes) {
        static Footprint now() {
            System.gc();
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            ToLongFunction<BufferPoolMXBean> used = BufferPoolMXBean::getMemoryUsed;
            long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                    .mapToLong(used)
                    .sum();
            return new Footprint(heap, direct);
        }
    }
}
