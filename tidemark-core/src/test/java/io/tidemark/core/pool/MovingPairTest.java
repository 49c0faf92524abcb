package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks of two parts of which one is set again, or comes new, while the block is on its way down. */
class MovingPairTest {
    private static PoolHarness tiered(int dramPages, FarMedium below) {
        return PoolHarness.tiered(dramPages, below, new Marks(0.9, 0.5), UnaryOperator.identity());
    }

    private static void part(PoolHarness pool, Object name, int part, long seed) {
        assertThat(PoolHarness.put(
                        pool.session, key(name).part(part), value(seed, PAGE), PutHints.NONE, PutMode.REPLACE))
                .isEqualTo(Answer.STORED);
    }

    private static byte[] get(PoolHarness pool, Object name, int part) {
        return PoolHarness.get(pool.session, key(name).part(part));
    }

    /** The part that is stored first, the one that is set again, and whether that happens while the bytes are copied. */
    @ParameterizedTest
    @CsvSource({"0,0,false", "0,1,false", "1,0,false", "1,1,false", "0,0,true", "0,1,true", "1,0,true", "1,1,true"})
    void aPartThatIsSetAgainLeavesTheOtherFreeToMove(int first, int again, boolean running) {
        FarMedium below = new FarMedium("far0", 10);
        try (PoolHarness pool = tiered(10, below)) {
            part(pool, 1, first, first);
            part(pool, 1, 1 - first, 1 - first);
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(EvictionOutcome.DEMOTION_QUEUED);
            if (running) {
                AtomicBoolean once = new AtomicBoolean();
                below.beforeWrite = () -> {
                    if (once.compareAndSet(false, true)) {
                        part(pool, 1, again, 7);
                    }
                };
            } else {
                part(pool, 1, again, 7);
            }
            pool.pool.checkInvariants();
            pool.pool.transitionWork().run();
            pool.pool.checkInvariants();
            assertThat(pool.where(1)).containsExactly("dram0");
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(EvictionOutcome.DEMOTION_QUEUED);
            pool.settle();
            assertThat(pool.where(1)).containsExactly("far0");
            assertThat(get(pool, 1, again)).isEqualTo(value(7, PAGE));
            assertThat(get(pool, 1, 1 - again)).isEqualTo(value(1 - again, PAGE));
        }
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aBatchOfVictimsThatWaitForTheirOtherPartIsPassedOver() {
        int pairs = 80;
        FarMedium below = new FarMedium("far0", 300);
        try (PoolHarness pool = tiered(240, below)) {
            for (int name = 0; name < pairs; name++) {
                part(pool, name, 0, name);
                part(pool, name, 1, name);
                pool.evict(name, EvictionReason.CAPACITY);
            }
            for (int name = 0; name < pairs; name++) {
                part(pool, name, 0, name + 1);
            }
            for (int name = 1_000; name < 1_060; name++) {
                pool.putPage(name);
            }
            pool.pool.watermarks().pass();
            assertThat(pool.pool.status().transitions()).as("those behind go").isGreaterThan(pairs);
            pool.settle();
            pool.clocks.advanceMillis(100);
            for (int name = 2_000; name < 2_020; name++) {
                pool.putPage(name);
            }
            pool.settle();
            assertThat(pool.backend().residentBytes()).isLessThanOrEqualTo(120 * PAGE);
        }
    }

    @Test
    void aPartThatComesWhileTheOtherMovesStaysWhereItIs() {
        FarMedium below = new FarMedium("far0", 10);
        try (PoolHarness pool = tiered(10, below)) {
            part(pool, 1, 0, 3);
            pool.evict(1, EvictionReason.CAPACITY);
            part(pool, 1, 1, 4);
            pool.settle();
            assertThat(get(pool, 1, 0)).isEqualTo(value(3, PAGE));
            assertThat(get(pool, 1, 1)).isEqualTo(value(4, PAGE));
        }
    }
}
