package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies that remember blocks, on a tier of a pool: copies come and go, the block is known by its key. */
class TideTierTest {
    private static final int HOT_KEYS = 20;
    private static final int OPS = 16_000;

    @Test
    void g07_underTideAScanDoesNotDriveTheHotSetOut() {
        assertThat(hotHitsPercent("tide")).isGreaterThanOrEqualTo(90);
        assertThat(hotHitsPercent("lru"))
                .as("plain LRU loses the hot set between two reads")
                .isLessThan(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tide", "gdsf"})
    void everyPolicyKeepsTheTierUnderItsMark(String policy) {
        try (PoolHarness pool = pool(policy)) {
            for (int block = 0; block < 500; block++) {
                pool.putPage(block % 7 == 0 ? block % 70 : block);
                pool.get(block / 2);
                pool.settle();
            }
            assertThat(pool.held(500)).hasSizeBetween(80, 100);
        }
    }

    /** Room for 100; each hot key is read every 200 operations, the others are new and never read. */
    private static double hotHitsPercent(String policy) {
        int reads = 0;
        int found = 0;
        try (PoolHarness pool = pool(policy)) {
            for (int op = 0; op < OPS; op++) {
                boolean hot = op % 10 == 0;
                int block = hot ? op / 10 % HOT_KEYS : 1_000 + op;
                boolean hit = hot && pool.get(block) != null;
                if (!hit) {
                    pool.putPage(block);
                    pool.settle();
                }
                boolean learned = hot && op > OPS / 2;
                reads += learned ? 1 : 0;
                found += learned && hit ? 1 : 0;
            }
        }
        return 100.0 * found / reads;
    }

    private static PoolHarness pool(String policy) {
        TierMember member = new TierMember(PoolHarness.dram("dram0", 100, policy), 1);
        PoolConfig config = PoolConfig.of(TierConfig.of("dram", new Marks(1, 0.98), member));
        return new PoolHarness(config.with(PoolLimits.DEFAULT), KeyHash.seeded(1));
    }
}
