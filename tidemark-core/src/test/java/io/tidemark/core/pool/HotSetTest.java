package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is read again and again stays in DRAM while eight times its capacity goes through; default order and marks. */
class HotSetTest {
    private static final int DRAM_BLOCKS = 4_096;
    private static final int HOT = 512;
    private static final int PUTS = 32_768;
    /** Every hot block is read once in so many puts. */
    private static final int READ_EVERY = 1_024;

    private static final int PUTS_A_PASS = 16;

    @Test
    void staysInDramAloneAndNoPutIsRefused() {
        try (PoolHarness pool = PoolHarness.dram(DRAM_BLOCKS, Marks.DEFAULT)) {
            assertThat(hotAfterTraffic(pool)).isEqualTo(HOT);
        }
    }

    @Test
    void staysInDramAboveATierThatTakesTheRest() {
        FarMedium below = new FarMedium("far0", 2 * DRAM_BLOCKS);
        try (PoolHarness pool = PoolHarness.tiered(DRAM_BLOCKS, below, Marks.DEFAULT, limits -> limits)) {
            assertThat(hotAfterTraffic(pool)).isEqualTo(HOT);
            assertThat(below.writes.get()).as("blocks that went down").isGreaterThan(PUTS / 2);
        }
    }

    private static long hotAfterTraffic(PoolHarness pool) {
        byte[] bytes = new byte[PAGE];
        IntStream.range(0, HOT)
                .forEach(hot -> assertThat(pool.put("hot-" + hot, bytes)).isEqualTo(Answer.STORED));
        for (int put = 0; put < PUTS; put++) {
            assertThat(pool.put("new-" + put, bytes)).isEqualTo(Answer.STORED);
            if (put % (READ_EVERY / HOT) == 0) {
                pool.pin("hot-" + put % READ_EVERY * HOT / READ_EVERY).close();
            }
            if (put % PUTS_A_PASS == 0) {
                pool.pool.watermarks().pass();
                pool.pool.transitionWork().run();
            }
        }
        assertThat(pool.counter("tidemark_no_space_total", "dram0")).isZero();
        return IntStream.range(0, HOT)
                .filter(hot ->
                        pool.pool.where(key("hot-" + hot)).getFirst().backend().equals("dram0"))
                .count();
    }
}
