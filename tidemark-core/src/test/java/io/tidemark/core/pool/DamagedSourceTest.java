package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A move from device to device, or up, whose source does not verify: the copy goes at once, counted as what it is. */
class DamagedSourceTest {
    private final FarMedium near = new FarMedium("near0", 10);
    private final FarMedium far = new FarMedium("far0", 10);

    private PoolHarness pool(Optional<Promotion> promotion) {
        TierConfig dram = TierConfig.of("dram", Marks.DEFAULT, new TierMember(PoolHarness.dram("dram0", 10), 1));
        TierConfig middle = TierConfig.of("near", Marks.DEFAULT, new TierMember(near, 1));
        middle = promotion.map(middle::promoting).orElse(middle);
        TierConfig last = TierConfig.of("far", Marks.DEFAULT, new TierMember(far, 1));
        return new PoolHarness(
                PoolConfig.of(dram.offloadingTo("near"), middle.offloadingTo("far"), last), KeyHash.seeded(1));
    }

    @Test
    void a_demotion_removes_it_and_is_not_tried_again() {
        try (PoolHarness pool = pool(Optional.empty())) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            near.damaged = true;
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(EvictionOutcome.DEMOTION_QUEUED);
            pool.settle();
            assertThat(pool.where(1)).isEmpty();
            assertThat(near.copies().count() + far.copies().count()).isZero();
            assertThat(pool.counter("tidemark_transitions_total", "damaged")).isEqualTo(1);
            assertThat(pool.counter("tidemark_demotion_retries_total")).isZero();
            assertThat(pool.counter("tidemark_dropped_only_copy_total")).isZero();
            assertThat(pool.counter("tidemark_left_copies_total", "near0", "corrupt"))
                    .isEqualTo(1);
            assertThat(pool.put(1, value(2, PAGE))).isEqualTo(Answer.STORED);
        }
    }

    @Test
    void a_promotion_removes_it_too() {
        try (PoolHarness pool = pool(Optional.of(new Promotion(1, false)))) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
            near.damaged = true;
            pool.settle();
            assertThat(pool.where(1)).isEmpty();
            assertThat(pool.counter("tidemark_transitions_total", "promotion", "damaged"))
                    .isEqualTo(1);
        }
    }
}
