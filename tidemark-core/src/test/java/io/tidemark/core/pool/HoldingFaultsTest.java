package io.tidemark.core.pool;

import static io.tidemark.core.pool.EvictionOutcome.FREED;
import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Faults that people met in stores of this kind, by their number: what puts, reads, leases and parts hold. */
class HoldingFaultsTest {
    private static final Marks TIGHT = new Marks(1, 0.9);

    @Test
    void g33_g38_cancelled_puts_and_reads_leave_everything_as_it_was() {
        try (PoolHarness pool = PoolHarness.dram(64, new Marks(1, 0.99))) {
            Random random = new Random(38);
            for (int name = 0; name < 8; name++) {
                pool.putPage(name);
            }
            for (int round = 0; round < 5_000; round++) {
                try (Session client = pool.pool.session("client")) {
                    Reserved reserved =
                            client.reserve(key("x" + round), random.nextInt(6 * PAGE), PutHints.NONE, PutMode.CREATE);
                    ReadResult read = client.read(key(random.nextInt(10)));
                    client.lookup(key(random.nextInt(10)));
                    if (random.nextBoolean() && reserved instanceof Reserved.Reservation put) {
                        put.close();
                        put.close();
                        assertThat(put.commit()).isEqualTo(Answer.FAILED);
                    }
                    if (random.nextBoolean() && read instanceof ReadResult.Pinned pin) {
                        pin.close();
                        pin.close();
                    }
                }
            }
            BackendStatus status = pool.backend();
            assertThat(status.freeBytes()).isEqualTo(56 * PAGE);
            assertThat(status.pinnedBytes() + status.leasedBytes() + status.reservedBytes())
                    .isZero();
            for (int name = 100; name < 156; name++) {
                pool.putPage(name);
            }
            for (int name = 100; name < 156; name++) {
                assertThat(pool.get(name)).isEqualTo(value(name, PAGE));
            }
        }
    }

    @Test
    void g39_pins_of_a_client_that_is_gone_end_with_its_session_and_stalled_ones_by_time() {
        try (PoolHarness pool = PoolHarness.dram(10, TIGHT)) {
            for (int name = 0; name < 10; name++) {
                pool.putPage(name);
            }
            Session dead = pool.pool.session("dead");
            Session stalled = pool.pool.session("stalled");
            AtomicInteger told = new AtomicInteger();
            Session owned = pool.pool.session("owned", what -> told.incrementAndGet());
            dead.read(key(0));
            ReadResult.Pinned slow = (ReadResult.Pinned) stalled.read(key(1));
            ReadResult.Pinned answered = (ReadResult.Pinned) owned.read(key(2));
            dead.close();
            assertThat(pool.backend().pinnedBytes()).isEqualTo(2 * PAGE);
            pool.clocks.advanceMillis(20_000);
            answered.progressed();
            pool.clocks.advanceMillis(10_000);
            pool.settle();
            assertThat(slow.held()).isFalse();
            assertThat(told).hasValue(0);
            pool.clocks.advanceMillis(20_000);
            pool.settle();
            pool.settle();
            assertThat(told).hasValue(1);
            assertThat(answered.held()).isTrue();
            owned.close();
            assertThat(pool.backend().pinnedBytes()).isZero();
        }
    }

    @Test
    void g40_a_second_release_is_no_release() {
        try (PoolHarness pool = PoolHarness.dram(10, TIGHT)) {
            pool.putPage(1);
            ReadResult.Pinned first = pool.pin(1);
            ReadResult.Pinned second = pool.pin(1);
            first.close();
            first.close();
            pool.evict(1, EvictionReason.DELETED);
            pool.putPage(2);
            assertThat(PoolHarness.bytes(second)).isEqualTo(value(1, PAGE));
            second.close();
            assertThat(pool.backend().residentBytes()).isEqualTo(PAGE);
        }
    }

    @Test
    void g41_looking_up_everything_all_the_time_stops_no_eviction() {
        try (PoolHarness pool = PoolHarness.dram(100, Marks.DEFAULT)) {
            int stored = 0;
            for (int name = 0; name < 1_000; name++) {
                stored += pool.put(name, value(name, PAGE)) == Answer.STORED ? 1 : 0;
                for (int seen = Math.max(0, name - 120); seen <= name; seen++) {
                    pool.session.lookup(key(seen));
                }
                pool.clocks.advanceMillis(100);
                pool.settle();
                assertThat(pool.backend().leasedBytes()).isLessThanOrEqualTo(25 * PAGE);
            }
            assertThat(stored).isEqualTo(1_000);
            assertThat(pool.counter("tidemark_leases_refused_total")).isPositive();
        }
    }

    @Test
    void g41_a_look_up_is_no_use() {
        try (PoolHarness pool = PoolHarness.dram(10, new Marks(0.9, 0.5))) {
            for (int name = 0; name < 9; name++) {
                pool.putPage(name);
            }
            pool.session.lookup(key(0));
            pool.pool.contains(key(1));
            pool.clocks.advanceMillis(2_000);
            pool.settle();
            assertThat(pool.held(9)).containsExactly(4, 5, 6, 7, 8);
        }
    }

    @Test
    void g44_pins_are_capped_and_puts_go_on() {
        try (PoolHarness pool = PoolHarness.dram(100, Marks.DEFAULT)) {
            for (int name = 0; name < 89; name++) {
                pool.putPage(name);
            }
            int refused = 0;
            for (int name = 0; name < 89; name++) {
                refused += pool.session.read(key(name)) instanceof ReadResult.Refused ? 1 : 0;
            }
            assertThat(refused).isEqualTo(39);
            assertThat(pool.backend().pinnedBytes()).isEqualTo(50 * PAGE);
            for (int name = 100; name < 300; name++) {
                pool.putPage(name);
                pool.settle();
            }
            assertThat(pool.counter("tidemark_refused_pins_total")).isEqualTo(39);
        }
    }

    @Test
    void g48_readers_keep_their_bytes_through_clear_and_reuse() {
        try (PoolHarness pool = PoolHarness.dram(64, new Marks(1, 0.99))) {
            List<ReadResult.Pinned> readers = new ArrayList<>();
            for (int name = 0; name < 20; name++) {
                pool.putPage(name);
                readers.add(pool.pin(name));
            }
            pool.pool.clear();
            assertThat(pool.backend().doomedBytes()).isEqualTo(20 * PAGE);
            for (int name = 100; name < 144; name++) {
                pool.putPage(name);
            }
            assertThat(pool.put("more", value(1, PAGE))).isEqualTo(Answer.NO_SPACE);
            for (int name = 0; name < 20; name++) {
                assertThat(PoolHarness.bytes(readers.get(name))).isEqualTo(value(name, PAGE));
                readers.get(name).close();
            }
            assertThat(pool.backend().freeBytes()).isEqualTo(20 * PAGE);
        }
    }

    @Test
    void g49_a_chain_with_holes_loads_as_a_shorter_prefix() {
        try (PoolHarness pool = PoolHarness.dram(128, TIGHT)) {
            for (int name = 0; name < 100; name++) {
                pool.putPage(name);
            }
            for (int name = 40; name < 58; name++) {
                pool.evict(name, EvictionReason.CAPACITY);
            }
            int prefix = 0;
            while (pool.get(prefix) != null) {
                prefix++;
            }
            assertThat(prefix).isEqualTo(40);
        }
    }

    @Test
    void g63_waiters_are_served_in_order_when_space_comes_and_called_at_their_deadline_when_not() {
        try (PoolHarness pool = PoolHarness.dram(4, TIGHT, limits -> PoolHarness.pinnedShare(limits, 1))) {
            List<ReadResult.Pinned> pins = new ArrayList<>();
            for (int name = 0; name < 4; name++) {
                pool.putPage(name);
                pins.add(pool.pin(name));
            }
            List<String> calls = new ArrayList<>();
            assertThat(pool.put("a", value(1, PAGE))).isEqualTo(Answer.NO_SPACE);
            assertThat(pool.session.awaitSpace(2 * PAGE, 1_000, () -> calls.add("first")))
                    .isTrue();
            assertThat(pool.session.awaitSpace(PAGE, 1_000, () -> calls.add("second")))
                    .isTrue();
            pool.clocks.advanceMillis(900);
            pool.settle();
            assertThat(calls).isEmpty();
            pins.removeFirst().close();
            pins.removeFirst().close();
            pool.settle();
            assertThat(calls).containsExactly("first");
            pool.clocks.advanceMillis(100);
            pool.settle();
            assertThat(calls).containsExactly("first", "second");
            pins.forEach(ReadResult.Pinned::close);
        }
    }

    @Test
    void g63_a_put_that_comes_later_does_not_take_the_space_of_one_that_waits() {
        try (PoolHarness pool = PoolHarness.dram(4, TIGHT, limits -> PoolHarness.pinnedShare(limits, 1))) {
            List<ReadResult.Pinned> pins = new ArrayList<>();
            for (int name = 0; name < 4; name++) {
                pool.putPage(name);
                pins.add(pool.pin(name));
            }
            Session later = pool.pool.session("later");
            List<String> calls = new ArrayList<>();
            assertThat(pool.session.awaitSpace(2 * PAGE, 1_000, () -> calls.add("called")))
                    .isTrue();
            pins.removeFirst().close();
            pool.settle();
            assertThat(calls).as("one page of two is free").isEmpty();
            assertThat(PoolHarness.put(later, key("late"), value(1, PAGE), PutHints.NONE, PutMode.REPLACE))
                    .isEqualTo(Answer.NO_SPACE);
            pins.removeFirst().close();
            pool.settle();
            assertThat(calls).containsExactly("called");
            assertThat(PoolHarness.put(later, key("late"), value(1, PAGE), PutHints.NONE, PutMode.REPLACE))
                    .as("kept for the one that was called")
                    .isEqualTo(Answer.NO_SPACE);
            assertThat(pool.put("first", value(2, 2 * PAGE))).isEqualTo(Answer.STORED);
            pins.forEach(ReadResult.Pinned::close);
            pool.settle();
            assertThat(PoolHarness.put(later, key("late"), value(1, PAGE), PutHints.NONE, PutMode.REPLACE))
                    .isEqualTo(Answer.STORED);
        }
    }

    @Test
    void g63_space_that_a_waiter_does_not_fetch_is_for_others_again() {
        try (PoolHarness pool = PoolHarness.dram(4, TIGHT)) {
            Session gone = pool.pool.session("gone");
            assertThat(gone.awaitSpace(4 * PAGE, 1_000, () -> {})).isTrue();
            pool.settle();
            assertThat(pool.put("a", value(1, PAGE))).isEqualTo(Answer.NO_SPACE);
            pool.clocks.advanceMillis(50);
            assertThat(pool.put("a", value(1, PAGE))).isEqualTo(Answer.STORED);
        }
    }

    @Test
    void g96_a_put_whose_bytes_dribble_in_ends_some_day() {
        try (PoolHarness pool = PoolHarness.dram(
                4, TIGHT, limits -> limits.but().putMillis(120_000).build())) {
            Reserved.Reservation slow =
                    (Reserved.Reservation) pool.session.reserve(key(1), PAGE, PutHints.NONE, PutMode.CREATE);
            for (int step = 0; step < 11; step++) {
                pool.clocks.advanceMillis(10_000);
                slow.progressed();
                pool.pool.housekeeping().tick();
                assertThat(pool.pool.status().reservations()).isOne();
            }
            pool.clocks.advanceMillis(10_000);
            slow.progressed();
            pool.pool.housekeeping().tick();
            assertThat(pool.pool.status().reservations()).isZero();
            assertThat(pool.counter("tidemark_overdue_total")).isOne();
            assertThat(slow.commit()).isEqualTo(Answer.FAILED);
        }
    }

    @Test
    void g96_a_late_commit_is_refused_and_the_second_value_stays() {
        try (PoolHarness pool = PoolHarness.dram(10, TIGHT)) {
            Reserved.Reservation paused =
                    (Reserved.Reservation) pool.session.reserve(key(1), PAGE, PutHints.NONE, PutMode.CREATE);
            Session other = pool.pool.session("other");
            assertThat(PoolHarness.put(other, key(1), value(2, PAGE), PutHints.NONE, PutMode.CREATE))
                    .isEqualTo(Answer.BUSY);
            pool.clocks.advanceMillis(30_000);
            assertThat(PoolHarness.put(other, key(1), value(2, PAGE), PutHints.NONE, PutMode.CREATE))
                    .isEqualTo(Answer.STORED);
            pool.settle();
            assertThat(pool.backend().reservedBytes()).isZero();
            assertThat(paused.commit()).isEqualTo(Answer.FAILED);
            assertThat(pool.get(1)).isEqualTo(value(2, PAGE));
        }
    }

    @Test
    void g96_a_killed_client_gives_its_space_back_at_once() {
        try (PoolHarness pool = PoolHarness.dram(10, TIGHT)) {
            Session killed = pool.pool.session("killed");
            killed.reserve(key(1), 10 * PAGE, PutHints.NONE, PutMode.CREATE);
            assertThat(pool.put(2, value(2, PAGE))).isEqualTo(Answer.NO_SPACE);
            killed.close();
            pool.putPage(2);
            assertThat(killed.reserve(key(1), PAGE, PutHints.NONE, PutMode.CREATE))
                    .isEqualTo(new Reserved.Refused(Answer.FAILED));
            assertThat(PoolHarness.put(pool.session, key(1), value(1, PAGE), PutHints.NONE, PutMode.CREATE))
                    .isEqualTo(Answer.STORED);
        }
    }

    @Test
    void g97_one_value_wins_and_broken_protocol_is_answered() {
        try (PoolHarness pool = PoolHarness.dram(64, new Marks(1, 0.99))) {
            Reserved.Reservation first =
                    (Reserved.Reservation) pool.session.reserve(key(1), PAGE, PutHints.NONE, PutMode.REPLACE_IF_ABSENT);
            Reserved.Reservation second =
                    (Reserved.Reservation) pool.session.reserve(key(1), PAGE, PutHints.NONE, PutMode.REPLACE_IF_ABSENT);
            PoolHarness.fill(first.segments(), value(1, PAGE));
            PoolHarness.fill(second.segments(), value(2, PAGE));
            assertThat(second.commit()).isEqualTo(Answer.STORED);
            assertThat(first.commit()).isEqualTo(Answer.EXISTS);
            assertThat(second.commit()).isEqualTo(Answer.FAILED);
            second.close();
            assertThat(pool.get(1)).isEqualTo(value(2, PAGE));
            assertThat(pool.session.reserve(key(1), PAGE, PutHints.NONE, PutMode.CREATE))
                    .isEqualTo(new Reserved.Refused(Answer.EXISTS));
            assertThat(PoolHarness.put(pool.session, key(2), value(2, 9), PutHints.NONE, PutMode.REPLACE_IF_PRESENT))
                    .isEqualTo(Answer.MISS);
            assertThat(pool.backend().reservedBytes()).isZero();
        }
    }

    @Test
    void g128_a_block_of_two_parts_is_found_and_evicted_as_one() {
        try (PoolHarness pool = PoolHarness.dram(20, new Marks(0.9, 0.5))) {
            for (int name = 0; name < 4; name++) {
                pool.putPage(name);
                PoolHarness.put(
                        pool.session, key(name).part(1), value(name + 50, 2 * PAGE), PutHints.NONE, PutMode.REPLACE);
            }
            assertThat(pool.pool.blocks()).isEqualTo(4);
            assertThat(PoolHarness.get(pool.session, key(2).part(1))).isEqualTo(value(52, 2 * PAGE));
            EvictionResult evicted = pool.evict(2, EvictionReason.CAPACITY);
            assertThat(evicted).isEqualTo(new EvictionResult(key(2), 3 * PAGE, FREED));
            assertThat(pool.pool.contains(key(2).part(1))).isFalse();
            // A second part on its own: of no use without the first, it goes first.
            PoolHarness.put(pool.session, key(7).part(1), value(7, PAGE), PutHints.NONE, PutMode.REPLACE);
            for (int name = 10; name < 18; name++) {
                pool.putPage(name);
            }
            pool.settle();
            assertThat(pool.pool.contains(key(7).part(1))).isFalse();
        }
    }

    @Test
    void g130_the_group_is_held_while_any_part_is_pinned_and_goes_as_a_whole() {
        try (PoolHarness pool = PoolHarness.dram(10, new Marks(0.9, 0.5))) {
            pool.putPage(1);
            PoolHarness.put(pool.session, key(1).part(1), value(2, PAGE), PutHints.NONE, PutMode.REPLACE);
            ReadResult.Pinned pin = (ReadResult.Pinned) pool.session.read(key(1).part(1));
            for (int name = 10; name < 17; name++) {
                pool.putPage(name);
            }
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(EvictionOutcome.NONE);
            pool.settle();
            assertThat(pool.pool.contains(key(1))).isTrue();
            assertThat(pool.pool.contains(key(1).part(1))).isTrue();
            pool.pool.clear();
            assertThat(pool.pool.contains(key(1))).isFalse();
            assertThat(PoolHarness.bytes(pin)).isEqualTo(value(2, PAGE));
            pin.close();
            assertThat(pool.backend().freeBytes()).isEqualTo(10 * PAGE);
        }
    }

    @Test
    void g100_reads_of_one_block_at_once_share_a_device_read_and_damage_is_a_miss_that_removes_itself() {
        FarMedium below = new FarMedium("far0", 10);
        try (PoolHarness pool = PoolHarness.tiered(10, below, TIGHT, UnaryOperator.identity())) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            List<ReadResult> answers = Collections.synchronizedList(new ArrayList<>());
            below.beforeRead = () -> {
                below.beforeRead = () -> {};
                for (int reader = 0; reader < 20; reader++) {
                    pool.session.read(key(1), answers::add);
                }
            };
            ReadResult first = pool.session.read(key(1));
            Awaitility.await().until(() -> answers.size() == 20);
            answers.add(first);
            assertThat(below.reads).hasValue(1);
            for (ReadResult answer : answers) {
                try (ReadResult.Pinned pin = (ReadResult.Pinned) answer) {
                    assertThat(PoolHarness.bytes(pin)).isEqualTo(value(1, PAGE));
                }
            }
            below.failReads = true;
            assertThat(pool.get(1)).isNull();
            assertThat(pool.pool.blocks()).isZero();
            assertThat(pool.put(1, value(2, PAGE))).isEqualTo(Answer.STORED);
        }
    }

    @Test
    void g68_a_tier_that_does_not_work_is_a_miss_and_keeps_its_blocks() {
        FarMedium below = new FarMedium("far0", 10);
        try (PoolHarness pool = PoolHarness.tiered(10, below, TIGHT, UnaryOperator.identity())) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            below.healthy = false;
            below.failReads = true;
            assertThat(pool.get(1)).isNull();
            below.healthy = true;
            below.failReads = false;
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
        }
    }

    @Test
    void g128_parts_that_landed_in_two_backends_are_demoted_one_by_one_and_none_is_lost() {
        FarMedium below = new FarMedium("far0", 20);
        TierConfig upper = TierConfig.of(
                "dram",
                TIGHT,
                new TierMember(PoolHarness.dram("dram0", 1), 1),
                new TierMember(PoolHarness.dram("dram1", 1), 1));
        TierConfig lower = TierConfig.of("far", TIGHT, new TierMember(below, 1));
        try (PoolHarness pool = PoolHarness.tiered(upper, lower, UnaryOperator.identity())) {
            pool.putPage(1);
            PoolHarness.put(pool.session, key(1).part(1), value(2, PAGE), PutHints.NONE, PutMode.REPLACE);
            assertThat(pool.where(1)).hasSize(2);
            pool.evictFrom(1, "dram0");
            pool.settle();
            pool.evictFrom(1, "dram1");
            pool.settle();
            assertThat(pool.where(1)).containsExactly("far0");
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
            assertThat(PoolHarness.get(pool.session, key(1).part(1))).isEqualTo(value(2, PAGE));
        }
    }

    @Test
    void aDeviceReadThatThrowsAnythingIsAMissAndLeavesNothingBehind() {
        FarMedium below = new FarMedium("far0", 10);
        try (PoolHarness pool = PoolHarness.tiered(10, below, TIGHT, UnaryOperator.identity())) {
            pool.putPage(1);
            pool.evict(1, EvictionReason.CAPACITY);
            pool.settle();
            below.beforeRead = () -> {
                below.beforeRead = () -> {};
                throw new StackOverflowError("test");
            };
            assertThat(pool.get(1)).isNull();
            assertThat(pool.get(1)).isEqualTo(value(1, PAGE));
            assertThat(pool.pool.status().pins()).isZero();
        }
    }
}
