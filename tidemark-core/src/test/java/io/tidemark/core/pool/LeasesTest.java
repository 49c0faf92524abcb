package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Medium;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Leases end in every way exactly once, and nothing is kept of one that has ended. */
class LeasesTest {
    private static final int BLOCKS = 100;

    private final ManualClocks clocks = new ManualClocks();
    private final Leases leases = new Leases(PoolLimits.DEFAULT, clocks);

    @Test
    void theEndOfASessionEndsItsOwnLeasesAndNoOthers() {
        try (PoolHarness pool = PoolHarness.dram(1_000, new Marks(0.9, 0.5));
                Medium medium = PoolHarness.dram("other", 1_000)) {
            Backend backend = new Backend(
                    0, medium, TierConfig.of("other", Marks.DEFAULT, new TierMember(medium, 1)), pool.clocks);
            Session other = pool.pool.session("other");
            for (int entry = 0; entry < BLOCKS; entry++) {
                leases.take(pool.session, entry, backend, PAGE, Set.of(0));
                leases.take(other, entry, backend, PAGE, Set.of(0));
            }
            leases.release(other);
            assertThat(leases.count()).isEqualTo(BLOCKS);
            assertThat(other.leases.get()).isZero();
            assertThat(backend.leasedBytes.get()).isEqualTo((long) BLOCKS * PAGE);
            for (int entry = 0; entry < BLOCKS; entry++) {
                assertThat(leases.protects(entry)).isTrue();
                leases.wasRead(pool.session, entry, 0);
                assertThat(leases.protects(entry)).isFalse();
            }
            assertThat(leases.count()).as("kept after its end").isZero();
            clocks.advanceMillis(PoolLimits.DEFAULT.leaseMillis() + 1);
            leases.expire();
            leases.release(pool.session);
            assertThat(backend.leasedBytes.get()).as("ended once each").isZero();
        }
    }

    @Test
    void aPoolThatEvictsNothingIsInStep() {
        try (PoolHarness pool = new PoolHarness(
                PoolConfig.of(TierConfig.of("dram", Marks.DEFAULT, new TierMember(unordered(), 1))),
                KeyHash.seeded(1))) {
            pool.putPage(1);
            assertThat(pool.session.lookup(key(1))).hasValue(PAGE);
            pool.pool.checkInvariants();
        }
    }

    private static Medium unordered() {
        return PoolHarness.untracked("dram0", 16);
    }
}
