package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times to live that nobody can mean. */
class LivesTest {
    private static final int TICKS = 4;

    private static void put(PoolHarness pool, int name, long ttlMillis) {
        PutHints hints = new PutHints(Optional.empty(), false, 0, OptionalLong.of(ttlMillis));
        assertThat(PoolHarness.put(pool.session, key(name), value(name, PAGE), hints, PutMode.REPLACE))
                .isEqualTo(Answer.STORED);
    }

    /** Ends are ordered by their differences, so one that is far away would break the order. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -Long.MAX_VALUE, -9_300_000_000_000L, -1, 0, Long.MAX_VALUE})
    void anEndHoweverFarAwayLeavesTheOthersInOrder(long ttlMillis) {
        try (PoolHarness pool = PoolHarness.dram(16, Marks.DEFAULT)) {
            put(pool, 1, 50);
            put(pool, 2, ttlMillis);
            put(pool, 3, 100);
            put(pool, 4, 5_000);
            pool.clocks.advanceMillis(1_000);
            for (int tick = 0; tick < TICKS; tick++) {
                pool.pool.housekeeping().tick();
            }
            assertThat(pool.pool.blocks()).as("what is not removed yet").isEqualTo(ttlMillis > 0 ? 2 : 1);
            pool.clocks.advanceMillis(5_000);
            pool.pool.housekeeping().tick();
            assertThat(pool.pool.blocks()).isEqualTo(ttlMillis > 0 ? 1 : 0);
        }
    }
}
