package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a put leaves behind when its value is there already, is long on its way, or comes in parts. */
class PutAgainTest {
    private static final PutHints TAIL = new PutHints(Optional.empty(), true, 0, OptionalLong.empty());

    @ParameterizedTest
    @EnumSource(
            value = PutMode.class,
            names = {"REPLACE", "CREATE", "REPLACE_IF_ABSENT", "REPLACE_IF_PRESENT"})
    void aTailThatIsPutAgainAsAWholeBlockIsNoTailAnyMoreAndHasItsChain(PutMode mode) {
        try (PoolHarness pool = PoolHarness.dram(10, new Marks(0.9, 0.8))) {
            for (int name = 0; name < 8; name++) {
                PutHints hints = name == 7 ? TAIL : PutHints.NONE;
                PoolHarness.put(pool.session, key(name), value(name, PAGE), hints, PutMode.REPLACE);
            }
            PutHints whole = new PutHints(Optional.of(key(0)), false, 0, OptionalLong.empty());
            if (PoolHarness.put(pool.session, key(7), value(7, PAGE), whole, mode) == Answer.EXISTS) {
                pool.session.foundAgain(key(7), whole);
            }
            pool.get(7);
            pool.putPage(8);
            pool.settle();
            // The tail would go first, and then block 0; as a whole block it stays and its use keeps its parent.
            assertThat(pool.held(9)).containsExactly(0, 2, 3, 4, 5, 6, 7, 8);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = PutMode.class,
            names = {"CREATE", "REPLACE_IF_ABSENT"})
    void aRefusalAloneLeavesTheBlockAsItIs(PutMode mode) {
        FarMedium below = new FarMedium("far0", 10);
        try (PoolHarness pool = PoolHarness.tiered(10, below, Marks.DEFAULT, limits -> limits)) {
            PoolHarness.put(pool.session, key(1), value(1, PAGE), TAIL, PutMode.REPLACE);
            Reserved.Reservation late =
                    (Reserved.Reservation) pool.session.reserve(key(1), PAGE, PutHints.NONE, PutMode.REPLACE);
            PoolHarness.fill(late.segments(), value(2, PAGE));
            assertThat(pool.session.reserve(key(1), PAGE, PutHints.NONE, mode))
                    .isEqualTo(new Reserved.Refused(Answer.EXISTS));
            assertThat(late.commit(PutHints.NONE, PutMode.REPLACE_IF_ABSENT)).isEqualTo(Answer.EXISTS);
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome())
                    .as("a tail is not demoted")
                    .isEqualTo(EvictionOutcome.FREED);
        }
    }

    @Test
    void aPutThatMakesProgressOutlivesItsDeadlineAndOneThatStopsDoesNot() {
        try (PoolHarness pool = PoolHarness.dram(10, Marks.DEFAULT)) {
            Reserved.Reservation steady = reserve(pool, 1);
            Reserved.Reservation byClaim = reserve(pool, 2);
            Reserved.Reservation stalled = (Reserved.Reservation)
                    pool.pool.session("other").reserve(key(3), PAGE, PutHints.NONE, PutMode.CREATE);
            List.of(steady, byClaim, stalled).forEach(put -> PoolHarness.fill(put.segments(), value(1, PAGE)));
            for (int i = 0; i < 4; i++) {
                pool.clocks.advanceMillis(20_000);
                steady.progressed();
                pool.session.progressed();
                pool.settle();
            }
            assertThat(pool.session.reserve(key(2), PAGE, PutHints.NONE, PutMode.CREATE))
                    .isEqualTo(new Reserved.Refused(Answer.BUSY));
            assertThat(stalled.commit()).isEqualTo(Answer.FAILED);
            assertThat(steady.commit()).isEqualTo(Answer.STORED);
            assertThat(byClaim.commit()).isEqualTo(Answer.STORED);
        }
    }

    private static Reserved.Reservation reserve(PoolHarness pool, int name) {
        return (Reserved.Reservation) pool.session.reserve(key(name), PAGE, PutHints.NONE, PutMode.CREATE);
    }

    @Test
    void theLeaseOnAPairEndsWhenBothPartsWereRead() {
        try (PoolHarness pool = PoolHarness.dram(10, Marks.DEFAULT)) {
            pool.putPage(1);
            PoolHarness.put(pool.session, key(1).part(1), value(2, PAGE), PutHints.NONE, PutMode.REPLACE);
            pool.session.lookup(key(1));
            PoolHarness.get(pool.session, key(1).part(1));
            PoolHarness.get(pool.session, key(1).part(1));
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(EvictionOutcome.NONE);
            PoolHarness.get(pool.session, key(1));
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(EvictionOutcome.FREED);
        }
    }
}
