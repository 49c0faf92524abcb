package io.tidemark.bench.ssd;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.pool.Pool;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemotionSideTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path directory;

    @Test
    void everyBlockLandsAndTheNextRoundFindsRoom() throws Exception {
        try (Pool pool = Tiers.open(NativeSys.INSTANCE, directory, 16 * MIB, 32 * MIB, true)) {
            DemotionSide small = new DemotionSide(pool, 64 << 10, 8 * MIB);
            DemotionSide large = new DemotionSide(pool, 1 << 20, 8 * MIB);
            for (int round = 0; round < 3; round++) {
                assertThat(small.measure()).isPositive();
                assertThat(large.measure()).isPositive();
            }
            assertThat(Tiers.below(pool)).isZero();
        }
    }
}
