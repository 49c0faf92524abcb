package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What waits for a device, and what a device's refusal costs. */
class DeviceCallsTest {
    private final FarMedium far = new FarMedium("far0", 64);

    private PoolHarness open() {
        return PoolHarness.tiered(64, far, new Marks(0.9, 0.5), UnaryOperator.identity());
    }

    private static void below(PoolHarness pool, int name) {
        pool.putPage(name);
        pool.evict(name, EvictionReason.CAPACITY);
        pool.settle();
        assertThat(pool.where(name)).containsExactly("far0");
    }

    @Test
    void an_expiry_waits_for_no_device_and_a_delete_does() {
        try (PoolHarness pool = open()) {
            below(pool, 1);
            below(pool, 2);
            pool.pool.expireAfter(key(1), 1_000);
            pool.clocks.advanceMillis(1_000);
            int before = far.awaited.get();
            pool.settle();
            assertThat(pool.held(3)).containsExactly(2);
            assertThat(far.awaited.get()).isEqualTo(before);
            pool.evict(2, EvictionReason.DELETED);
            assertThat(far.awaited.get()).isEqualTo(before + 1);
        }
    }

    @Test
    void many_ends_are_waited_for_once() {
        try (PoolHarness pool = open()) {
            for (int name = 0; name < 20; name++) {
                below(pool, name);
            }
            int before = far.awaited.get();
            pool.pool.clear();
            assertThat(far.awaited.get()).isEqualTo(before + 1);
            assertThat(pool.held(20)).isEmpty();
        }
    }

    @Test
    void a_refused_read_costs_no_block_although_the_device_works_by_now() {
        try (PoolHarness pool = open()) {
            below(pool, 1);
            far.refuseReads = true;
            assertThat(pool.get(1)).isNull();
            far.refuseReads = false;
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
        }
    }
}
