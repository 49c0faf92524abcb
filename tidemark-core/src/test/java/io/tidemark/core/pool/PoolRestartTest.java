package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool over a real SSD medium, closed and opened again. */
class PoolRestartTest {
    @TempDir
    Path folder;

    private PoolHarness open() throws IOException {
        return open(UnaryOperator.identity());
    }

    private PoolHarness open(UnaryOperator<PoolLimits> limits) throws IOException {
        SsdMedium ssd = SsdMedium.open(NativeSys.INSTANCE, SsdOptions.of("ssd0", folder, 64L << 20));
        ssd.copies().trackOrder("lru+np");
        Marks marks = new Marks(0.9, 0.5);
        TierConfig upper = TierConfig.of("dram", marks, new TierMember(PoolHarness.dram("dram0", 64), 1));
        TierConfig lower = TierConfig.of("ssd", marks, new TierMember(ssd, 1));
        return PoolHarness.tiered(upper, lower, limits);
    }

    @Test
    void what_was_demoted_is_served_after_a_restart_and_what_was_deleted_or_replaced_is_not() throws IOException {
        try (PoolHarness pool = open()) {
            for (int name = 0; name < 20; name++) {
                pool.putPage(name);
                PoolHarness.put(
                        pool.session, key(name).part(1), value(name + 500, 100), PutHints.NONE, PutMode.REPLACE);
                pool.evict(name, EvictionReason.CAPACITY);
            }
            pool.settle();
            assertThat(pool.where(5)).containsExactly("ssd0");
            pool.evict(5, EvictionReason.DELETED);
            assertThat(pool.put(6, value(6_000, PAGE))).isEqualTo(Answer.STORED);
            pool.pool.expireAfter(key(7), 1_000);
            pool.clocks.advanceMillis(1_000);
            pool.settle();
        }
        try (PoolHarness pool = open()) {
            assertThat(pool.held(20)).hasSize(17).doesNotContain(5, 6, 7);
            assertThat(pool.get(6)).isNull();
            for (int name : pool.held(20)) {
                assertThat(pool.get(name)).isEqualTo(value(name, PAGE));
                assertThat(PoolHarness.get(pool.session, key(name).part(1))).isEqualTo(value(name + 500, 100));
            }
            pool.put(30, value(30, PAGE));
            pool.evict(30, EvictionReason.CAPACITY);
            pool.settle();
            assertThat(pool.where(30)).containsExactly("ssd0");
        }
    }

    @Test
    void with_a_smaller_index_the_youngest_blocks_are_taken_over_and_the_others_give_their_space_back()
            throws IOException {
        try (PoolHarness pool = open()) {
            for (int name = 0; name < 20; name++) {
                pool.putPage(name);
                pool.evict(name, EvictionReason.CAPACITY);
                pool.settle();
            }
        }
        long limitBytes = new IndexSpace(0, 8).entryBytes(key(1).bytes().length) * 12;
        try (PoolHarness pool =
                open(limits -> limits.but().indexBytes(limitBytes).build())) {
            assertThat(pool.held(20)).containsExactly(10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
            assertThat(pool.pool.status().backends().getLast().residentBytes()).isEqualTo(10L * PAGE);
            assertThat(pool.get(12)).isEqualTo(value(12, PAGE));
            pool.settle();
            assertThat(pool.held(20)).hasSize(10);
        }
    }

    @Test
    void a_life_is_no_longer_when_its_thread_has_to_wait_between_the_clocks() throws IOException {
        try (PoolHarness pool = open()) {
            pool.putPage(1);
            pool.pool.expireAfter(key(1), 10_000);
            pool.clocks.pauseAfterEachAnswer(40);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            pool.clocks.pauseAfterEachAnswer(0);
            assertThat(pool.where(1)).containsExactly("ssd0");
        }
        try (PoolHarness pool = open()) {
            assertThat(pool.where(1)).containsExactly("ssd0");
            pool.clocks.advanceMillis(10_000);
            assertThat(pool.get(1)).isNull();
        }
    }

    @Test
    void a_life_goes_on_by_the_wall_clock() throws IOException {
        try (PoolHarness pool = open()) {
            PoolHarness.put(pool.session, key(1), value(1, PAGE), living(60_000), PutMode.REPLACE);
            PoolHarness.put(pool.session, key(2), value(2, PAGE), PutHints.NONE, PutMode.REPLACE);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.evict(2, EvictionReason.CAPACITY);
            pool.settle();
        }
        try (PoolHarness pool = open()) {
            assertThat(pool.pool.ttlMillis(key(1))).isEqualTo(60_000);
            assertThat(pool.pool.ttlMillis(key(2))).isEqualTo(-1);
            pool.clocks.advanceMillis(60_000);
            pool.settle();
            assertThat(pool.held(3)).containsExactly(2);
        }
    }

    /** What a life is cut to. */
    private static final long HUNDRED_YEARS = 100L * 365 * 86_400_000;

    /** Over a restart a life has the wall clock only; what has none does not look at it. */
    @ParameterizedTest
    @ValueSource(longs = {-3_600_000L, 3_600_000L, 315_360_000_000L, -4_000_000_000_000L, 4_000_000_000_000L})
    void g108_a_step_of_the_wall_clock_over_a_restart_ends_lives_or_lengthens_them_and_nothing_else(long step)
            throws IOException {
        long minute = 60_000;
        long twoHours = 7_200_000;
        try (PoolHarness pool = open()) {
            pool.clocks.stepWallMillis(-step);
            for (int name = 0; name < 20; name++) {
                pool.putPage(name);
            }
            PoolHarness.put(pool.session, key(20), value(20, PAGE), living(minute), PutMode.REPLACE);
            PoolHarness.put(pool.session, key(21), value(21, PAGE), living(twoHours), PutMode.REPLACE);
            for (int name = 0; name < 22; name++) {
                pool.evict(name, EvictionReason.CAPACITY);
            }
            pool.settle();
            assertThat(pool.where(21)).containsExactly("ssd0");
        }
        try (PoolHarness pool = open()) {
            assertThat(pool.held(20)).hasSize(20);
            assertThat(pool.pool.ttlMillis(key(3))).isEqualTo(-1);
            assertThat(pool.pool.ttlMillis(key(20))).isEqualTo(left(minute, step));
            assertThat(pool.pool.ttlMillis(key(21))).isEqualTo(left(twoHours, step));
            pool.session.lookup(key(0));
            pool.clocks.stepWallMillis(step);
            pool.settle();
            assertThat(pool.held(20)).hasSize(20);
            assertThat(pool.pool.status().leases()).isEqualTo(1);
            for (int name = 0; name < 20; name++) {
                assertThat(pool.get(name)).isEqualTo(value(name, PAGE));
            }
        }
    }

    private static long left(long life, long step) {
        return step < life ? Math.min(life - step, HUNDRED_YEARS) : -2;
    }

    private static PutHints living(long millis) {
        return new PutHints(Optional.empty(), false, 0, OptionalLong.of(millis));
    }
}
