package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values without bytes take a page each: marks, eviction and waits see them like any other. */
class EmptyValuesTest {
    private static final Marks TIGHT = new Marks(1, 0.99);
    private static final byte[] EMPTY = {};

    @Test
    void emptyValuesWithoutEndAreEvictedLikeOthersAndALargerOneFindsRoom() {
        try (PoolHarness pool = PoolHarness.dram(64, new Marks(0.9, 0.5))) {
            for (int name = 0; name < 1_000; name++) {
                assertThat(pool.put(name, EMPTY)).isEqualTo(Answer.STORED);
                pool.settle();
            }
            assertThat(pool.pool.blocks()).isBetween(32L, 58L);
            assertThat(pool.get(999)).isEmpty();
            assertThat(pool.put("large", new byte[6 * PAGE])).isEqualTo(Answer.STORED);
        }
    }

    @Test
    void aFullPoolMakesRoomForAnEmptyValue() {
        try (PoolHarness pool = PoolHarness.dram(8, TIGHT)) {
            for (int name = 0; name < 8; name++) {
                assertThat(pool.put(name, EMPTY)).isEqualTo(Answer.STORED);
            }
            assertThat(pool.put("next", EMPTY)).isEqualTo(Answer.NO_SPACE);
            pool.settle();
            assertThat(pool.put("next", EMPTY)).isEqualTo(Answer.STORED);
        }
    }

    @Test
    void aWaiterForAnEmptyValueIsCalledWhenAPageIsFreeAndNotBefore() {
        try (PoolHarness pool = PoolHarness.dram(2, TIGHT, limits -> PoolHarness.pinnedShare(limits, 1))) {
            pool.put(0, EMPTY);
            pool.put(1, EMPTY);
            List<ReadResult.Pinned> pins = List.of(pool.pin(0), pool.pin(1));
            List<String> calls = new ArrayList<>();
            assertThat(pool.session.awaitSpace(0, 1_000, () -> calls.add("called")))
                    .isTrue();
            pool.settle();
            assertThat(calls).isEmpty();
            pins.getFirst().close();
            pool.settle();
            assertThat(calls).containsExactly("called");
            pins.getLast().close();
        }
    }

    @Test
    void aWaiterIsNotCalledForSpaceThatIsFreeInNoSingleBackend() {
        TierConfig tier = TierConfig.of(
                "dram",
                TIGHT,
                new TierMember(PoolHarness.dram("dram0", 2), 1),
                new TierMember(PoolHarness.dram("dram1", 2), 1));
        try (PoolHarness pool = new PoolHarness(PoolConfig.of(tier), KeyHash.seeded(1))) {
            Reserved.Reservation first = reserve(pool, 1);
            Reserved.Reservation second = reserve(pool, 2);
            Reserved.Reservation third = reserve(pool, 3);
            Reserved.Reservation fourth = reserve(pool, 4);
            List<Reserved.Reservation> all = new ArrayList<>(List.of(first, second, third, fourth));
            List<String> calls = new ArrayList<>();
            assertThat(pool.session.awaitSpace(2 * PAGE, 1_000, () -> calls.add("called")))
                    .isTrue();
            List<BackendStatus> backends = pool.pool.status().backends();
            assertThat(backends).allMatch(backend -> backend.freeBytes() == 0);
            giveBackOneIn(all, 0);
            giveBackOneIn(all, 1);
            pool.settle();
            assertThat(calls).isEmpty();
            giveBackOneIn(all, 0);
            pool.settle();
            assertThat(calls).containsExactly("called");
            all.forEach(Reserved.Reservation::close);
        }
    }

    private static Reserved.Reservation reserve(PoolHarness pool, int name) {
        return (Reserved.Reservation) pool.session.reserve(key(name), 1, PutHints.NONE, PutMode.REPLACE);
    }

    private static void giveBackOneIn(List<Reserved.Reservation> all, int backend) {
        ReservedPut put = (ReservedPut) all.stream()
                .filter(held -> ((ReservedPut) held).backend.number == backend)
                .findFirst()
                .orElseThrow();
        all.remove(put);
        put.close();
    }
}
