package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A full tier without an order: only what is already on its way out is worth a wait. */
class NoEvictionTest {
    private static final int PAGES = 4;
    private static final long WAIT_MILLIS = 1_000;

    private static PoolHarness full() {
        TierConfig tier =
                TierConfig.of("dram", Marks.DEFAULT, new TierMember(PoolHarness.untracked("dram0", PAGES), 1));
        PoolConfig config = PoolConfig.of(tier);
        PoolHarness pool = new PoolHarness(config.with(PoolHarness.pinnedShare(config.limits(), 1)), KeyHash.seeded(1));
        for (int name = 0; name < PAGES; name++) {
            assertThat(pool.put(name, new byte[PAGE])).isEqualTo(Answer.STORED);
        }
        assertThat(pool.put("more", new byte[PAGE])).isEqualTo(Answer.NO_SPACE);
        return pool;
    }

    @Test
    void nobodyWaitsForSpaceThatNothingMakes() {
        try (PoolHarness pool = full()) {
            assertThat(pool.session.awaitSpace(PAGE, WAIT_MILLIS, () -> {})).isFalse();
        }
    }

    @Test
    void aDeletedBlockThatIsStillReadIsWorthAWait() {
        try (PoolHarness pool = full()) {
            ReadResult.Pinned pin = pool.pin(0);
            pool.evict(0, EvictionReason.DELETED);
            List<String> calls = new ArrayList<>();
            assertThat(pool.session.awaitSpace(PAGE, WAIT_MILLIS, () -> calls.add("called")))
                    .isTrue();
            pin.close();
            pool.settle();
            assertThat(calls).containsExactly("called");
            assertThat(pool.put("more", new byte[PAGE])).isEqualTo(Answer.STORED);
        }
    }
}
