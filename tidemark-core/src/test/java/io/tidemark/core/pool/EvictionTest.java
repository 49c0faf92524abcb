package io.tidemark.core.pool;

import static io.tidemark.core.pool.EvictionOutcome.DEMOTION_QUEUED;
import static io.tidemark.core.pool.EvictionOutcome.FREED;
import static io.tidemark.core.pool.EvictionOutcome.IN_FLIGHT;
import static io.tidemark.core.pool.EvictionOutcome.NONE;
import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.OfferBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** {@link Pool#evict} case by case, and what the worker makes of it, over DRAM and a test medium below. */
class EvictionTest {
    private static final UnaryOperator<PoolLimits> SAME = UnaryOperator.identity();

    private static PoolHarness tiered(FarMedium below) {
        return PoolHarness.tiered(10, below, new Marks(0.9, 0.5), SAME);
    }

    @Test
    void by_key_alone_the_placement_is_demoted_and_then_dropped() {
        try (PoolHarness pool = tiered(new FarMedium("far0", 10))) {
            pool.putPage(1);
            assertThat(pool.evict("1", EvictionReason.CAPACITY).outcome()).isEqualTo(DEMOTION_QUEUED);
            pool.settle();
            assertThat(pool.where(1)).containsExactly("far0");
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
            EvictionResult dropped = pool.evict("1", EvictionReason.CAPACITY);
            assertThat(dropped).isEqualTo(new EvictionResult(key(1), PAGE, FREED));
            assertThat(pool.where(1)).isEmpty();
        }
    }

    @Test
    void the_call_returns_before_the_copy_runs_and_a_repeat_is_in_flight() {
        try (PoolHarness pool = tiered(new FarMedium("far0", 10))) {
            pool.putPage(1);
            assertThat(pool.evict(1, EvictionReason.CAPACITY))
                    .isEqualTo(new EvictionResult(key(1), 0, DEMOTION_QUEUED));
            assertThat(pool.evict(1, EvictionReason.CAPACITY)).isEqualTo(new EvictionResult(key(1), 0, IN_FLIGHT));
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
            assertThat(pool.where(1)).containsExactly("dram0");
            pool.settle();
            assertThat(pool.where(1)).containsExactly("far0");
        }
    }

    @Test
    void a_copy_that_is_not_there_frees_nothing_and_touches_no_other() {
        try (PoolHarness pool = tiered(new FarMedium("far0", 10))) {
            pool.putPage(1);
            assertThat(pool.evictFrom(1, "far0")).isEqualTo(NONE);
            assertThat(pool.evictFrom(1, "nowhere")).isEqualTo(NONE);
            assertThat(pool.evictFrom(2, "dram0")).isEqualTo(NONE);
            assertThat(pool.where(1)).containsExactly("dram0");
        }
    }

    @Test
    void by_tier_and_by_backend_only_that_copy_goes() {
        try (PoolHarness pool = promoting(new FarMedium("far0", 10), new Promotion(1, false))) {
            inBoth(pool, 1);
            EvictionRequest lower =
                    new EvictionRequest(key(1), Optional.of("far"), Optional.empty(), EvictionReason.CAPACITY);
            assertThat(pool.pool.evict(lower).outcome()).isEqualTo(FREED);
            assertThat(pool.where(1)).containsExactly("dram0");
            inBoth(pool, 2);
            assertThat(pool.evictFrom(2, "dram0")).isEqualTo(FREED);
            assertThat(pool.where(2)).containsExactly("far0");
        }
    }

    @Test
    void a_discard_takes_every_copy() {
        try (PoolHarness pool = promoting(new FarMedium("far0", 10), new Promotion(1, false))) {
            inBoth(pool, 1);
            assertThat(pool.evict(1, EvictionReason.DELETED)).isEqualTo(new EvictionResult(key(1), 2 * PAGE, FREED));
            assertThat(pool.where(1)).isEmpty();
        }
    }

    @Test
    void a_discard_of_one_backend_leaves_the_others() {
        try (PoolHarness pool = promoting(new FarMedium("far0", 10), new Promotion(1, false))) {
            inBoth(pool, 1);
            EvictionRequest damaged =
                    new EvictionRequest(key(1), Optional.empty(), Optional.of("far0"), EvictionReason.CORRUPT);
            assertThat(pool.pool.evict(damaged).outcome()).isEqualTo(FREED);
            assertThat(pool.where(1)).containsExactly("dram0");
        }
    }

    @Test
    void a_pinned_copy_is_held_and_a_discarded_one_goes_with_its_last_pin() {
        try (PoolHarness pool = tiered(new FarMedium("far0", 10))) {
            pool.putPage(1);
            try (ReadResult.Pinned pin = pool.pin(1)) {
                assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(NONE);
                assertThat(pool.evict(1, EvictionReason.DELETED)).isEqualTo(new EvictionResult(key(1), 0, FREED));
                assertThat(pool.get(1)).isNull();
                assertThat(pool.backend().doomedBytes()).isEqualTo(PAGE);
                assertThat(PoolHarness.bytes(pin)).isEqualTo(value(1, PAGE));
            }
            assertThat(pool.backend().freeBytes()).isEqualTo(10 * PAGE);
        }
    }

    @Test
    void a_leased_block_is_demoted_and_its_last_copy_stays_until_the_lease_is_over() {
        try (PoolHarness pool = tiered(new FarMedium("far0", 10))) {
            pool.putPage(1);
            assertThat(pool.session.lookup(key(1))).hasValue(PAGE);
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(DEMOTION_QUEUED);
            pool.settle();
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(NONE);
            pool.clocks.advanceMillis(2_000);
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(FREED);
        }
    }

    @Test
    void a_source_that_is_read_while_it_moves_is_freed_with_the_read() {
        try (PoolHarness pool = tiered(new FarMedium("far0", 10))) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            try (ReadResult.Pinned pin = pool.pin(1)) {
                pool.settle();
                assertThat(pool.where(1)).containsExactly("far0");
                assertThat(PoolHarness.bytes(pin)).isEqualTo(value(1, PAGE));
                assertThat(pool.backend().doomedBytes()).isEqualTo(PAGE);
            }
            assertThat(pool.backend().freeBytes()).isEqualTo(10 * PAGE);
        }
    }

    @Test
    void the_worker_demotes_where_there_is_a_tier_below_and_counts_what_is_leaving() {
        try (PoolHarness pool = tiered(new FarMedium("far0", 20))) {
            for (int name = 0; name < 9; name++) {
                pool.putPage(name);
            }
            for (int pass = 0; pass < 3; pass++) {
                pool.pool.watermarks().pass();
                assertThat(pool.pool.status().transitions()).isEqualTo(4);
            }
            pool.settle();
            assertThat(pool.backend().residentBytes()).isEqualTo(5 * PAGE);
            for (int name = 0; name < 9; name++) {
                assertThat(pool.where(name)).containsExactly(name < 4 ? "far0" : "dram0");
                assertThat(pool.get(name)).isEqualTo(value(name, PAGE));
            }
        }
    }

    @Test
    void no_key_is_lost_over_twenty_puts_that_demote() {
        try (PoolHarness pool = tiered(new FarMedium("far0", 40))) {
            for (int name = 0; name < 20; name++) {
                pool.putPage(name);
                pool.settle();
            }
            assertThat(pool.held(20)).hasSize(20);
            assertThat(pool.counter("tidemark_dropped_only_copy_total")).isZero();
        }
    }

    @Test
    void a_block_that_is_below_already_is_freed_above_without_a_copy() {
        FarMedium below = new FarMedium("far0", 10);
        try (PoolHarness pool = promoting(below, new Promotion(1, false))) {
            inBoth(pool, 1);
            int writes = below.writes.get();
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(FREED);
            assertThat(below.writes.get()).isEqualTo(writes);
            assertThat(pool.where(1)).containsExactly("far0");
        }
    }

    @Test
    void promotion_by_move_takes_the_lower_copy_after_so_many_reads() {
        try (PoolHarness pool = promoting(new FarMedium("far0", 10), new Promotion(2, true))) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
            pool.settle();
            assertThat(pool.where(1)).containsExactly("far0");
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
            pool.settle();
            assertThat(pool.where(1)).containsExactly("dram0");
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
        }
    }

    @Test
    void nothing_comes_up_into_a_tier_at_its_high_mark() {
        TierConfig upper = TierConfig.of("dram", new Marks(0.9, 0.5), new TierMember(PoolHarness.dram("dram0", 10), 1));
        TierConfig lower = TierConfig.of("far", new Marks(1, 0.9), new TierMember(new FarMedium("far0", 10), 1))
                .promoting(new Promotion(1, false));
        try (PoolHarness pool = PoolHarness.tiered(upper, lower, SAME)) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            IntStream.range(10, 19).forEach(pool::putPage); // one page is free still
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
            pool.pool.transitionWork().run();
            assertThat(pool.where(1)).containsExactly("far0");
            pool.settle();
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
            pool.pool.transitionWork().run();
            assertThat(pool.where(1)).containsExactlyInAnyOrder("dram0", "far0");
        }
    }

    @Test
    void reads_of_a_block_that_is_gone_promote_no_other_one() {
        try (PoolHarness pool = promoting(new FarMedium("far0", 10), new Promotion(3, true))) {
            for (int round = 0; round < 4; round++) {
                pool.putPage(1);
                pool.evict(1, EvictionReason.CAPACITY);
                pool.settle();
                pool.get(1);
                pool.get(1);
                pool.settle();
                assertThat(pool.where(1)).containsExactly("far0");
                pool.evict(1, EvictionReason.DELETED);
            }
        }
    }

    @Test
    void what_can_be_read_nowhere_counts_as_missing_and_may_be_stored_again() {
        FarMedium below = new FarMedium("far0", 10);
        try (PoolHarness pool = tiered(below)) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            below.healthy = false;
            assertThat(pool.session.lookup(key(1))).isEmpty();
            assertThat(pool.pool.contains(key(1))).as("there to be deleted").isTrue();
            assertThat(PoolHarness.put(pool.session, key(1), value(1, PAGE), PutHints.NONE, PutMode.CREATE))
                    .isEqualTo(Answer.STORED);
            assertThat(pool.where(1)).containsExactly("dram0");
            below.healthy = true;
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
            assertThat(PoolHarness.put(pool.session, key(1), value(2, PAGE), PutHints.NONE, PutMode.CREATE))
                    .isEqualTo(Answer.EXISTS);
        }
    }

    @Test
    void an_expired_block_remains_until_it_is_swept() {
        try (PoolHarness pool = tiered(new FarMedium("far0", 10))) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            pool.pool.expireAfter(key(1), 1_000);
            pool.clocks.advanceMillis(1_000);
            assertThat(pool.where(1)).isEmpty();
            assertThat(pool.pool.remains(key(1))).extracting(CopyInfo::backend).containsExactly("far0");
            pool.settle();
            assertThat(pool.pool.remains(key(1))).isEmpty();
        }
    }

    @Test
    void priority_goes_along_with_moves() {
        TierConfig upper = TierConfig.of("dram", Marks.DEFAULT, new TierMember(PoolHarness.dram("dram0", 10), 1));
        FarMedium below = new FarMedium("far0", 10);
        TierConfig lower = TierConfig.of("far", Marks.DEFAULT, new TierMember(below, 1));
        try (PoolHarness pool = PoolHarness.tiered(upper, lower, SAME)) {
            PutHints dear = new PutHints(Optional.empty(), false, 5, OptionalLong.empty());
            PoolHarness.put(pool.session, key(1), value(1, PAGE), dear, PutMode.REPLACE);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            assertThat(pool.where(1)).containsExactly("far0");
            long copy = below.copies()
                    .order()
                    .offers(new OfferBudget(PAGE, 1), offered -> true)
                    .getFirst()
                    .handle();
            assertThat(below.copies().order().priority(copy)).isEqualTo(5);
        }
    }

    @Test
    void unfinished_ends_of_prompts_are_not_demoted_and_counted_apart() {
        try (PoolHarness pool = tiered(new FarMedium("far0", 10))) {
            PutHints tail = new PutHints(Optional.empty(), true, 0, OptionalLong.empty());
            PoolHarness.put(pool.session, key(1), value(1, PAGE), tail, PutMode.REPLACE);
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(FREED);
            assertThat(pool.counter("tidemark_not_demoted_total", "incomplete_tail"))
                    .isEqualTo(1);
            assertThat(pool.counter("tidemark_dropped_only_copy_total")).isZero();
        }
    }

    @Test
    void a_hot_set_stays_above_while_eight_times_the_capacity_is_put() {
        FarMedium below = new FarMedium("far0", 8_192);
        try (PoolHarness pool = PoolHarness.tiered(1_024, below, Marks.DEFAULT, SAME)) {
            for (int hot = 0; hot < 128; hot++) {
                pool.putPage(hot);
            }
            for (int name = 1_000; name < 1_000 + 8_192; name++) {
                if (name % 256 == 0) {
                    for (int hot = 0; hot < 128; hot++) {
                        assertThat(pool.get(hot)).isEqualTo(value(hot, PAGE));
                    }
                }
                pool.putPage(name);
                pool.settle();
            }
            for (int hot = 0; hot < 128; hot++) {
                assertThat(pool.where(hot)).containsExactly("dram0");
            }
            assertThat(pool.counter("tidemark_no_space_total", "dram0")).isZero();
        }
    }

    private static PoolHarness promoting(FarMedium below, Promotion rule) {
        Marks marks = new Marks(0.9, 0.5);
        TierConfig upper = TierConfig.of("dram", marks, new TierMember(PoolHarness.dram("dram0", 10), 1));
        TierConfig lower = TierConfig.of("far", marks, new TierMember(below, 1)).promoting(rule);
        return PoolHarness.tiered(upper, lower, SAME);
    }

    /** Puts a page, demotes it, and reads it so that it is promoted by copy. */
    private static void inBoth(PoolHarness pool, int name) {
        pool.putPage(name);
        pool.evict(name, EvictionReason.CAPACITY);
        pool.settle();
        pool.get(name);
        pool.settle();
        assertThat(pool.where(name)).containsExactly("dram0", "far0");
    }

    @Test
    void a_held_copy_that_turns_evictable_goes_without_a_second_call() {
        PoolConfig config = PoolConfig.of(
                TierConfig.of("dram", new Marks(0.5, 0.2), new TierMember(PoolHarness.dram("dram0", 10), 1)));
        try (Pool pool = Pool.open(config.with(PoolHarness.pinnedShare(PoolLimits.DEFAULT, 1)));
                Session session = pool.session("test")) {
            List<ReadResult.Pinned> pins = new ArrayList<>();
            for (int name = 0; name < 8; name++) {
                BlockKey block = key(name);
                byte[] bytes = value(name, PAGE);
                Awaitility.await().until(() -> putAndPin(session, block, bytes, pins)); // the worker may be quicker
            }
            assertThat(pool.evict(EvictionRequest.of(key(3), EvictionReason.CAPACITY))
                            .outcome())
                    .isEqualTo(NONE);
            pins.remove(3).close();
            Awaitility.await().until(() -> !pool.contains(key(3)));
            assertThat(pool.blocks()).as("the others are held").isEqualTo(7);
            pins.forEach(ReadResult.Pinned::close);
        }
    }

    private static boolean putAndPin(Session session, BlockKey block, byte[] bytes, List<ReadResult.Pinned> pins) {
        PoolHarness.put(session, block, bytes, PutHints.NONE, PutMode.REPLACE);
        return session.read(block) instanceof ReadResult.Pinned pin && pins.add(pin);
    }

    @Test
    void what_may_not_go_is_not_offered_and_the_pass_is_counted() {
        try (PoolHarness pool =
                PoolHarness.dram(10, new Marks(0.9, 0.5), limits -> PoolHarness.pinnedShare(limits, 1))) {
            List<ReadResult.Pinned> held = new ArrayList<>();
            for (int name = 0; name < 9; name++) {
                pool.putPage(name);
                held.add(pool.pin(name));
            }
            pool.pool.watermarks().pass();
            assertThat(pool.held(9)).hasSize(9);
            assertThat(pool.counter("tidemark_eviction_no_candidate_total", "dram0"))
                    .isPositive();
            held.forEach(ReadResult.Pinned::close);
            pool.pool.watermarks().pass();
            assertThat(pool.held(9)).as("the coldest went").containsExactly(4, 5, 6, 7, 8);
        }
    }
}
