package io.tidemark.core.pool;

import static io.tidemark.core.pool.EvictionOutcome.DEMOTION_QUEUED;
import static io.tidemark.core.pool.EvictionOutcome.FREED;
import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults that people met in stores of this kind, by their number: victims, demotion, accounts, marks, clocks. */
class FaultScenariosTest {
    private static final UnaryOperator<PoolLimits> SAME = UnaryOperator.identity();
    private static final Marks TIGHT = new Marks(1, 0.9);

    @TempDir
    private Path folder;

    private static PutHints childOf(Object parent) {
        return new PutHints(Optional.of(key(parent)), false, 0, OptionalLong.empty());
    }

    private static PutHints living(long millis) {
        return new PutHints(Optional.empty(), false, 0, OptionalLong.of(millis));
    }

    @Test
    void g02_the_tail_of_a_chain_goes_first() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            try (PoolHarness pool =
                    PoolHarness.dram(4, new Marks(1, 0.75), limits -> PoolHarness.pinnedShare(limits, 1))) {
                PoolHarness.put(pool.session, key(1), value(1, PAGE), PutHints.NONE, PutMode.REPLACE);
                PoolHarness.put(pool.session, key(2), value(2, PAGE), childOf(1), PutMode.REPLACE);
                PoolHarness.put(pool.session, key(3), value(3, PAGE), childOf(2), PutMode.REPLACE);
                List<ReadResult.Pinned> reads = new ArrayList<>(List.of(pool.pin(1), pool.pin(2), pool.pin(3)));
                Collections.shuffle(reads, random);
                reads.forEach(ReadResult.Pinned::close);
                pool.putPage(9);
                pool.settle();
                assertThat(pool.held(10)).as("seed %d", seed).containsExactly(1, 2, 9);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void g13_a_block_whose_lower_copy_was_evicted_is_demoted_again(Below device) throws IOException {
        FarMedium below = device.open(folder, 10);
        TierConfig upper = TierConfig.of("dram", TIGHT, new TierMember(PoolHarness.dram("dram0", 10), 1));
        TierConfig lower = TierConfig.of("far", TIGHT, new TierMember(below, 1)).promoting(new Promotion(1, false));
        try (PoolHarness pool = PoolHarness.tiered(upper, lower, SAME)) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            pool.get(1);
            pool.settle();
            assertThat(pool.evictFrom(1, "far0")).isEqualTo(FREED);
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(DEMOTION_QUEUED);
            pool.settle();
            assertThat(pool.where(1)).containsExactly("far0");
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
        }
    }

    @Test
    void an_end_that_its_device_does_not_take_is_counted_there() {
        FarMedium below = new FarMedium("far0", 10);
        try (PoolHarness pool = PoolHarness.tiered(10, below, TIGHT, SAME)) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            below.failEnds = true;
            assertThat(pool.evict(1, EvictionReason.DELETED).outcome()).isEqualTo(FREED);
            assertThat(pool.get(1)).isNull();
            assertThat(pool.counter("tidemark_failed_retracts_total", "far0")).isEqualTo(1);
            assertThat(pool.counter("tidemark_failed_retracts_total", "dram0")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void g14_a_demotion_without_room_keeps_the_block_until_it_is_dropped_once_and_counted(Below device)
            throws IOException {
        FarMedium below = device.open(folder, 10);
        below.full = true;
        try (PoolHarness pool = PoolHarness.tiered(10, below, TIGHT, SAME)) {
            pool.putPage(1);
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(DEMOTION_QUEUED);
            for (int second = 0; second < 29; second++) {
                pool.settle();
                pool.clocks.advanceMillis(1_000);
                assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
            }
            pool.clocks.advanceMillis(2_000);
            pool.settle();
            assertThat(pool.get(1)).isNull();
            assertThat(pool.counter("tidemark_dropped_only_copy_total", "no_space"))
                    .isEqualTo(1);
            assertThat(pool.counter("tidemark_demotion_retries_total")).isGreaterThan(5);
        }
    }

    @ParameterizedTest
    @EnumSource
    void g14_an_unhealthy_tier_below_costs_the_block_at_once(Below device) throws IOException {
        FarMedium below = device.open(folder, 10);
        try (PoolHarness pool = PoolHarness.tiered(10, below, TIGHT, SAME)) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            below.healthy = false;
            assertThat(pool.pool.status().backends())
                    .extracting(BackendStatus::illness)
                    .containsExactly("", "the test broke it");
            pool.settle();
            pool.putPage(2);
            assertThat(pool.evict(2, EvictionReason.CAPACITY).outcome()).isEqualTo(FREED);
            assertThat(pool.held(3)).isEmpty();
            assertThat(pool.counter("tidemark_dropped_only_copy_total", "unhealthy"))
                    .isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void g14_a_device_that_keeps_every_worker_costs_what_waits_for_it_and_no_put(Below device) throws Exception {
        FarMedium below = device.open(folder, 100);
        CompletableFuture<Void> go = new CompletableFuture<>();
        CountDownLatch hangs = new CountDownLatch(1);
        below.beforeWrite = () -> {
            hangs.countDown();
            go.join();
        };
        try (PoolHarness pool = PoolHarness.tiered(20, below, new Marks(0.9, 0.5), SAME)) {
            IntStream.range(0, 20).forEach(pool::putPage);
            pool.pool.watermarks().pass(); // 10 of them wait to go down
            CompletableFuture<Void> worker =
                    CompletableFuture.runAsync(() -> pool.pool.transitionWork().run());
            assertThat(hangs.await(10, TimeUnit.SECONDS)).isTrue();
            pool.pool.watermarks().pass();
            assertThat(pool.put(20, value(20, PAGE)))
                    .as("nobody knows that it hangs yet")
                    .isEqualTo(Answer.NO_SPACE);
            below.healthy = false;
            pool.pool.watermarks().pass();
            IntStream.range(20, 60).forEach(name -> {
                pool.putPage(name);
                pool.pool.watermarks().pass();
            });
            assertThat(pool.counter("tidemark_dropped_only_copy_total", "unhealthy"))
                    .isGreaterThanOrEqualTo(40);
            assertThat(pool.get(0)).as("a worker carries it").isEqualTo(value(0, PAGE));
            below.healthy = true;
            go.complete(null);
            worker.get(10, TimeUnit.SECONDS);
            pool.settle();
            assertThat(pool.where(0)).containsExactly("far0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void g16_every_put_of_a_burst_is_stored_or_refused_and_every_stored_one_is_readable(Below device)
            throws IOException {
        FarMedium below = device.open(folder, 200);
        try (PoolHarness pool = PoolHarness.tiered(64, below, Marks.DEFAULT, SAME)) {
            List<Integer> stored = new ArrayList<>();
            int refused = 0;
            for (int name = 0; name < 150; name++) {
                switch (pool.put(name, value(name, PAGE))) {
                    case STORED -> stored.add(name);
                    case NO_SPACE -> refused++;
                    case Answer other -> throw new AssertionError(other);
                }
                if (name % 50 == 49) {
                    pool.settle();
                }
            }
            pool.settle();
            assertThat(stored.size() + refused).isEqualTo(150);
            assertThat(stored).allSatisfy(name -> assertThat(pool.get(name)).isEqualTo(value(name, PAGE)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void g22_the_index_names_the_tier_that_is_left_and_the_entry_goes_with_its_last_copy(Below device)
            throws IOException {
        try (PoolHarness pool = PoolHarness.tiered(10, device.open(folder, 10), TIGHT, SAME)) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            assertThat(pool.pool.where(key(1))).extracting(CopyInfo::tier).containsExactly("far");
            assertThat(pool.counter("tidemark_left_copies_total", "dram0", "demoted"))
                    .isEqualTo(1);
            pool.evict(1, EvictionReason.CAPACITY);
            assertThat(pool.pool.blocks()).isZero();
            assertThat(pool.counter("tidemark_left_copies_total", "far0", "capacity"))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void g28_clear_takes_leased_blocks_and_a_later_put_is_stored(Below device) throws IOException {
        try (PoolHarness pool = PoolHarness.tiered(10, device.open(folder, 10), TIGHT, SAME)) {
            pool.putPage(1);
            pool.session.lookup(key(1));
            pool.pool.clear();
            assertThat(pool.get(1)).isNull();
            assertThat(pool.pool.status().leases()).isZero();
            assertThat(pool.put(1, value(2, PAGE))).isEqualTo(Answer.STORED);
            assertThat(pool.get(1)).isEqualTo(value(2, PAGE));
        }
    }

    @Test
    void g30_putting_the_same_bytes_again_stores_nothing_and_refreshes() {
        try (PoolHarness pool = PoolHarness.dram(2, TIGHT)) {
            pool.putPage(1);
            for (int again = 0; again < 10; again++) {
                pool.putPage(1);
            }
            assertThat(pool.backend().residentBytes()).isEqualTo(PAGE);
            assertThat(pool.counter("tidemark_stored_copies_total")).isEqualTo(1);
            pool.putPage(2);
            assertThat(pool.held(3)).containsExactly(1, 2);
        }
    }

    @Test
    void g32_a_put_that_cannot_fit_evicts_nothing_and_leaves_nothing() {
        try (PoolHarness pool = PoolHarness.dram(10, TIGHT, limits -> PoolHarness.pinnedShare(limits, 1))) {
            for (int name = 0; name < 10; name++) {
                pool.putPage(name);
            }
            List<ReadResult.Pinned> pins = new ArrayList<>();
            for (int name = 0; name < 8; name++) {
                pins.add(pool.pin(name));
            }
            long passes = pool.counter("tidemark_left_copies_total");
            assertThat(pool.put("five", value(5, 5 * PAGE))).isEqualTo(Answer.NO_SPACE);
            assertThat(pool.put("eleven", value(11, 11 * PAGE))).isEqualTo(Answer.TOO_LARGE);
            assertThat(pool.counter("tidemark_left_copies_total")).isEqualTo(passes);
            assertThat(pool.backend().reservedBytes()).isZero();
            pins.forEach(ReadResult.Pinned::close);
            assertThat(pool.put("five", value(5, 5 * PAGE))).isEqualTo(Answer.NO_SPACE);
            pool.settle();
            assertThat(pool.put("five", value(5, 5 * PAGE))).isEqualTo(Answer.STORED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void g45_queued_demotions_of_blocks_that_changed_are_skipped_one_by_one(Below device) throws IOException {
        FarMedium below = device.open(folder, 200);
        try (PoolHarness pool = PoolHarness.tiered(200, below, TIGHT, SAME)) {
            for (int name = 0; name < 100; name++) {
                pool.putPage(name);
                pool.evict(name, EvictionReason.CAPACITY);
            }
            pool.evict(10, EvictionReason.DELETED);
            pool.put(20, value(999, PAGE));
            pool.pool.expireAfter(key(30), 0);
            pool.evict(40, EvictionReason.CORRUPT);
            pool.settle();
            assertThat(pool.counter("tidemark_transitions_total", "demotion", "landed"))
                    .isEqualTo(96);
            assertThat(pool.counter("tidemark_transitions_total", "demotion", "skipped"))
                    .isEqualTo(4);
            assertThat(pool.get(20)).isEqualTo(value(999, PAGE));
            assertThat(pool.pool.status().transitions()).isZero();
            assertThat(pool.backend().pinnedBytes() + pool.backend().leavingBytes())
                    .isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void g45_what_changes_while_it_is_copied_does_not_come_back_from_below(Below device) throws IOException {
        FarMedium below = device.open(folder, 20);
        try (PoolHarness pool = PoolHarness.tiered(20, below, TIGHT, SAME)) {
            pool.putPage(1);
            pool.putPage(2);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.evict(2, EvictionReason.CAPACITY);
            below.beforeWrite = () -> {
                below.beforeWrite = () -> {};
                Thread.startVirtualThread(() -> pool.pool.clear());
                while (pool.pool.contains(key(1)) || pool.pool.contains(key(2))) {
                    Thread.onSpinWait();
                }
            };
            pool.settle();
            assertThat(pool.held(3)).isEmpty();
            assertThat(pool.pool.status().backends())
                    .allSatisfy(backend -> assertThat(backend.freeBytes()).isEqualTo(backend.capacityBytes()));
        }
    }

    @Test
    void g71_g110_a_pass_frees_what_is_needed_and_less_than_one_block_more() {
        try (PoolHarness pool = PoolHarness.dram(100, new Marks(0.9, 0.81))) {
            for (int name = 0; name < 13; name++) {
                pool.put(name, value(name, 7 * PAGE));
            }
            pool.settle();
            // 91 pages used, 81 allowed: 10 needed, two blocks of 7 go.
            assertThat(pool.counter("tidemark_eviction_requested_bytes_total")).isEqualTo(10 * PAGE);
            assertThat(pool.counter("tidemark_freed_bytes_total")).isEqualTo(14 * PAGE);
            assertThat(pool.counter("tidemark_freed_copies_total")).isEqualTo(2);
            assertThat(pool.counter("tidemark_left_bytes_total", "capacity")).isEqualTo(14 * PAGE);
        }
    }

    @Test
    void g72_passes_are_bounded_by_the_band_and_bad_marks_are_refused() {
        try (PoolHarness pool = PoolHarness.dram(100, new Marks(0.85, 0.70))) {
            for (int name = 0; name < 1_000; name++) {
                pool.putPage(name);
                pool.settle();
            }
            assertThat(pool.counter("tidemark_eviction_passes_total")).isLessThanOrEqualTo(1_000 / 15 + 1);
        }
        for (double[] pair : new double[][] {{0.7, 0.7}, {0.7, 0.8}, {1.1, 0.5}, {0.5, 0}, {Double.NaN, 0.5}}) {
            assertThatThrownBy(() -> new Marks(pair[0], pair[1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected 0 < low < high <= 1");
        }
        try (PoolHarness tiny = PoolHarness.dram(3, new Marks(1, 0.5))) {
            for (int name = 0; name < 50; name++) {
                tiny.putPage(name);
                tiny.settle();
            }
            assertThat(tiny.get(49)).isEqualTo(value(49, PAGE));
        }
    }

    @Test
    void g77_keys_whose_hashes_collide_are_told_apart() {
        KeyHash eightBits = key -> KeyHash.seeded(7).hash(key) & 0xFF;
        PoolConfig config = PoolConfig.of(
                TierConfig.of("dram", new Marks(1, 0.99), new TierMember(PoolHarness.dram("dram0", 1_000), 1)));
        try (PoolHarness pool = new PoolHarness(config, eightBits)) {
            for (int name = 0; name < 1_000; name++) {
                pool.putPage(name);
            }
            for (int name = 0; name < 1_000; name++) {
                assertThat(pool.get(name)).isEqualTo(value(name, PAGE));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void g99_an_empty_value_is_a_hit_of_length_zero_in_every_tier(Below device) throws IOException {
        try (PoolHarness pool = PoolHarness.tiered(10, device.open(folder, 10), TIGHT, SAME)) {
            assertThat(pool.put("k", value(0, 0))).isEqualTo(Answer.STORED);
            assertThat(pool.session.lookup(key("k"))).hasValue(0);
            assertThat(pool.get("k")).isEmpty();
            pool.evict("k", EvictionReason.CAPACITY);
            pool.settle();
            assertThat(pool.where("k")).containsExactly("far0");
            assertThat(pool.get("k")).isEmpty();
            assertThat(pool.put("k", value(1, 1))).isEqualTo(Answer.STORED);
            assertThat(pool.get("k")).hasSize(1);
            assertThat(pool.put("k", value(1, 0))).isEqualTo(Answer.STORED);
            assertThat(pool.get("k")).isEmpty();
            assertThatThrownBy(() -> key("")).hasMessageContaining("expected 1 to 65536");
        }
    }

    @ParameterizedTest
    @EnumSource
    void g102_new_bytes_are_read_after_clear_remove_and_overwrite_in_the_middle_of_demotions(Below device)
            throws IOException {
        FarMedium below = device.open(folder, 200);
        try (PoolHarness pool = PoolHarness.tiered(100, below, Marks.DEFAULT, SAME)) {
            for (int round = 0; round < 3; round++) {
                for (int name = 0; name < 80; name++) {
                    pool.put(name, value(name + round * 1_000, PAGE));
                    pool.evict(name, EvictionReason.CAPACITY);
                }
                int how = round;
                for (int name = 0; name < 80; name++) {
                    switch (how) {
                        case 0 -> pool.evict(name, EvictionReason.DELETED);
                        case 1 -> {}
                        default -> pool.pool.clear();
                    }
                    assertThat(pool.put(name, value(name + 500_000L + round, PAGE)))
                            .isEqualTo(Answer.STORED);
                    if (how == 2) {
                        assertThat(pool.get(name)).isEqualTo(value(name + 500_000L + round, PAGE));
                    }
                }
                pool.settle();
                for (int name = how == 2 ? 79 : 0; name < 80; name++) {
                    assertThat(pool.get(name)).isEqualTo(value(name + 500_000L + round, PAGE));
                }
            }
        }
    }

    @Test
    void g108_steps_of_the_wall_clock_change_nothing() {
        try (PoolHarness pool = PoolHarness.dram(10, new Marks(0.9, 0.5))) {
            for (int name = 0; name < 8; name++) {
                PoolHarness.put(pool.session, key(name), value(name, PAGE), living(60_000), PutMode.REPLACE);
            }
            pool.session.lookup(key(0));
            ReadResult.Pinned pin = pool.pin(1);
            for (long step : new long[] {-3_600_000L, 3_600_000L, 315_360_000_000L, -4_000_000_000_000L}) {
                pool.clocks.stepWallMillis(step);
                pool.settle();
                assertThat(pool.held(8)).hasSize(8);
                assertThat(pin.held()).isTrue();
                assertThat(pool.pool.status().leases()).isEqualTo(1);
                assertThat(pool.pool.ttlMillis(key(3))).isEqualTo(60_000);
            }
            pin.close();
            pool.clocks.advanceMillis(60_000);
            assertThat(pool.get(0)).isNull();
            pool.settle();
            assertThat(pool.pool.blocks()).isZero();
            assertThat(pool.counter("tidemark_left_copies_total", "expired")).isEqualTo(8);
        }
    }
}
