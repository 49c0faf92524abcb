package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Turns of the threads that move blocks, under more work than they can do. */
class WorkerTurnTest {
    private static final int BLOCKS = 200;
    private static final long MILLIS_A_WRITE = 300;
    /** After so long without the end of a turn a thread is said to stand still. */
    private static final long STILL_MILLIS = 30_000;

    /** Half a minute of demotions at full rate was once told as a thread that hangs. */
    @Test
    void aTurnEndsThoughTheQueueStaysFilled() {
        FarMedium far = new FarMedium("far0", 2 * BLOCKS);
        try (PoolHarness pool = PoolHarness.tiered(2 * BLOCKS, far, Marks.DEFAULT, UnaryOperator.identity())) {
            for (int name = 0; name < BLOCKS; name++) {
                pool.putPage(name);
                pool.evict(name, EvictionReason.CAPACITY);
            }
            far.beforeWrite = () -> pool.clocks.advanceMillis(MILLIS_A_WRITE);
            int turns = 1;
            long longest = 0;
            long begun = pool.clocks.monotonicNanos();
            while (pool.pool.transitionWork().run()) {
                longest = Math.max(longest, pool.clocks.monotonicNanos() - begun);
                begun = pool.clocks.monotonicNanos();
                turns++;
            }
            assertThat(pool.pool.status().transitions()).isZero();
            assertThat(far.writes.get()).isEqualTo(BLOCKS);
            assertThat(BLOCKS * MILLIS_A_WRITE)
                    .as("longer than a thread may stand still")
                    .isGreaterThan(STILL_MILLIS);
            assertThat(turns).isGreaterThan(2);
            assertThat(longest / 1_000_000).as("ms of the longest turn").isLessThan(STILL_MILLIS / 2);
        }
    }
}
