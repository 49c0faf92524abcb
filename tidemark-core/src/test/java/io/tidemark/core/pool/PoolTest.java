package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a pool of one DRAM tier promises a caller. */
class PoolTest {
    @Test
    void what_was_put_is_read_back() {
        try (PoolHarness pool = PoolHarness.dram(16, Marks.DEFAULT)) {
            for (int length : new int[] {0, 1, PAGE - 1, PAGE, PAGE + 1, 5 * PAGE + 17}) {
                assertThat(pool.put("k" + length, value(length, length))).isEqualTo(Answer.STORED);
                assertThat(pool.get("k" + length)).isEqualTo(value(length, length));
                assertThat(pool.pool.sizeOf(key("k" + length))).hasValue(length);
            }
            assertThat(pool.get("other")).isNull();
        }
    }

    @Test
    void an_overwrite_is_read_back_and_frees_the_old_bytes() {
        try (PoolHarness pool = PoolHarness.dram(16, Marks.DEFAULT)) {
            pool.put("k", value(1, 3 * PAGE));
            assertThat(pool.put("k", value(2, PAGE))).isEqualTo(Answer.STORED);
            assertThat(pool.get("k")).isEqualTo(value(2, PAGE));
            assertThat(pool.backend().residentBytes()).isEqualTo(PAGE);
            assertThat(pool.pool.blocks()).isEqualTo(1);
        }
    }

    @Test
    void a_deleted_block_is_gone_and_its_bytes_are_back() {
        try (PoolHarness pool = PoolHarness.dram(16, Marks.DEFAULT)) {
            pool.put("k", value(1, 2 * PAGE));
            EvictionResult result = pool.pool.evict(EvictionRequest.of(key("k"), EvictionReason.DELETED));
            assertThat(result).isEqualTo(new EvictionResult(key("k"), 2 * PAGE, EvictionOutcome.FREED));
            assertThat(pool.get("k")).isNull();
            assertThat(pool.pool
                            .evict(EvictionRequest.of(key("k"), EvictionReason.DELETED))
                            .outcome())
                    .isEqualTo(EvictionOutcome.NONE);
        }
    }

    @Test
    void clear_leaves_nothing() {
        try (PoolHarness pool = PoolHarness.dram(64, Marks.DEFAULT)) {
            for (int name = 0; name < 50; name++) {
                pool.putPage(name);
            }
            pool.pool.clear();
            assertThat(pool.held(50)).isEmpty();
            assertThat(pool.backend().freeBytes()).isEqualTo(64 * PAGE);
            pool.putPage(7);
            assertThat(pool.get(7)).isEqualTo(value(7, PAGE));
        }
    }

    @Test
    void the_worker_drains_from_the_high_mark_to_the_low_mark_coldest_first() {
        try (PoolHarness pool = PoolHarness.dram(10, new Marks(0.9, 0.5))) {
            for (int name = 0; name < 9; name++) {
                pool.putPage(name);
            }
            pool.settle();
            assertThat(pool.held(9)).containsExactly(4, 5, 6, 7, 8);
            assertThat(pool.backend().residentBytes()).isEqualTo(5 * PAGE);
        }
    }

    @Test
    void below_the_high_mark_nothing_goes() {
        try (PoolHarness pool = PoolHarness.dram(10, new Marks(0.9, 0.5))) {
            for (int name = 0; name < 8; name++) {
                pool.putPage(name);
            }
            pool.settle();
            assertThat(pool.held(8)).hasSize(8);
        }
    }

    @Test
    void reads_keep_a_block_warm() {
        try (PoolHarness pool = PoolHarness.dram(10, new Marks(0.9, 0.5))) {
            for (int name = 0; name < 9; name++) {
                pool.putPage(name);
                pool.get(0);
            }
            pool.settle();
            assertThat(pool.held(9)).containsExactly(0, 5, 6, 7, 8);
        }
    }
}
