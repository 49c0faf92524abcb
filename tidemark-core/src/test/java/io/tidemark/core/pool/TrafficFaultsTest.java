package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.NativeSys;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults that people met in stores of this kind, by their number: what long traffic and odd keys bring out. */
class TrafficFaultsTest {
    private static final UnaryOperator<PoolLimits> SAME = UnaryOperator.identity();

    /** File names, escapes, control characters and look-alikes, with bars between them. */
    private static final List<String> ODD_KEYS =
            List.of(("/|..|../..|./a|a|a/|/a|a//b|a/b|a%2Fb|a%252Fb|-SEP-|a-SEP-b|\0|a\0|a\0b|ab|\n|a\n|a\r\n| |a | a"
                            + "|@|a@b|\\|a\\b|.hidden|\u00e9|e\u0301|\ud83d\ude00|%F0%9F%98%80|A|con"
                            + "|%|%%|*|a*|\u2028|\ufeff|?")
                    .split("\\|"));

    @TempDir
    private Path folder;

    /** Moves a block down, and lets the tiers settle. */
    private static void demote(PoolHarness pool, int name) {
        pool.putPage(name);
        pool.evict(name, EvictionReason.CAPACITY);
        pool.settle();
        pool.settle();
    }

    @ParameterizedTest
    @EnumSource
    void g01_what_comes_down_counts_as_used_and_is_not_the_next_victim_there(Below device) throws IOException {
        int pages = device.pages(5);
        FarMedium below = device.open(folder, pages);
        // All pages down to one less: room for so many that stay.
        Marks marks = new Marks(1, (pages - 1.0) / pages);
        try (PoolHarness pool = PoolHarness.tiered(10, below, marks, SAME)) {
            IntStream.range(0, pages - 1).forEach(name -> demote(pool, name));
            for (int name = 0; name < pages - 1; name++) {
                assertThat(pool.get(name)).isEqualTo(value(name, PAGE));
            }
            for (int name = pages - 1; name <= pages; name++) {
                demote(pool, name);
                assertThat(pool.held(pages + 1)).containsExactlyElementsOf(names(name - pages + 2, name));
                assertThat(pool.where(name)).containsExactly("far0");
            }
        }
    }

    private static List<Integer> names(int first, int last) {
        return IntStream.rangeClosed(first, last).boxed().toList();
    }

    @ParameterizedTest
    @EnumSource
    void g11_blocks_that_came_up_by_a_read_leave_the_upper_tier_in_their_turn(Below device) throws IOException {
        FarMedium below = device.open(folder, 200);
        Marks marks = new Marks(0.9, 0.5);
        TierConfig upper = TierConfig.of("dram", marks, new TierMember(PoolHarness.dram("dram0", 40), 1));
        TierConfig lower = TierConfig.of("far", marks, new TierMember(below, 1)).promoting(new Promotion(1, false));
        try (PoolHarness pool = PoolHarness.tiered(upper, lower, SAME)) {
            IntStream.range(0, 10).forEach(name -> demote(pool, name));
            for (int name = 0; name < 10; name++) {
                pool.get(name);
                pool.settle();
                assertThat(pool.where(name)).contains("dram0", "far0");
            }
            IntStream.range(10, 36).forEach(pool::putPage);
            pool.settle();
            for (int name = 0; name < 10; name++) {
                assertThat(pool.where(name)).containsExactly("far0");
            }
            assertThat(pool.backend().residentBytes()).isLessThanOrEqualTo(20 * PAGE);
            assertThat(pool.backend().pinnedBytes() + pool.backend().leasedBytes())
                    .isZero();
            assertThat(pool.counter("tidemark_eviction_stalled_total")).isZero();
        }
    }

    @Test
    void g46_a_reader_paused_beyond_its_lease_reads_its_own_bytes_or_misses() {
        try (PoolHarness pool = PoolHarness.dram(10, new Marks(1, 0.9))) {
            pool.putPage(1);
            pool.putPage(2);
            assertThat(pool.session.lookup(key(1))).hasValue(PAGE);
            assertThat(pool.session.lookup(key(2))).hasValue(PAGE);
            ReadResult.Pinned reading = pool.pin(1);
            byte[] copied = new byte[PAGE];
            copy(reading, copied, 0, PAGE / 2);
            pool.clocks.advanceMillis(PoolLimits.DEFAULT.leaseMillis() + 500);
            pool.settle();
            assertThat(pool.evict(1, EvictionReason.CAPACITY).outcome()).isEqualTo(EvictionOutcome.NONE);
            pool.evict(1, EvictionReason.DELETED);
            assertThat(pool.evict(2, EvictionReason.CAPACITY).outcome()).isEqualTo(EvictionOutcome.FREED);
            IntStream.range(100, 109).forEach(pool::putPage); // every page but the one that is being read
            copy(reading, copied, PAGE / 2, PAGE / 2);
            assertThat(copied).isEqualTo(value(1, PAGE));
            reading.close();
            assertThat(pool.get(1)).isNull();
            assertThat(pool.get(2)).isNull();
            assertThat(pool.backend().freeBytes()).isEqualTo(PAGE);
        }
    }

    private static void copy(ReadResult.Pinned pin, byte[] target, int offset, int length) {
        MemorySegment page = pin.segments().getFirst();
        MemorySegment.copy(page, ValueLayout.JAVA_BYTE, offset, target, offset, length);
    }

    @ParameterizedTest
    @EnumSource
    void g74_keys_of_any_bytes_are_told_apart_in_every_tier(Below device) throws IOException {
        List<String> odd = ODD_KEYS;
        try (PoolHarness pool = PoolHarness.tiered(64, device.open(folder, 128), new Marks(1, 0.99), SAME)) {
            for (int i = 0; i < odd.size(); i++) {
                assertThat(pool.put(odd.get(i), value(i, PAGE))).isEqualTo(Answer.STORED);
            }
            assertThat(pool.pool.blocks()).isEqualTo(odd.size());
            for (int i = 0; i < odd.size(); i++) {
                assertThat(pool.get(odd.get(i))).as("key %d", i).isEqualTo(value(i, PAGE));
                pool.evict(odd.get(i), EvictionReason.CAPACITY);
            }
            pool.settle();
            for (int i = 0; i < odd.size(); i++) {
                assertThat(pool.where(odd.get(i))).containsExactly("far0");
                assertThat(pool.get(odd.get(i))).as("key %d", i).isEqualTo(value(i, PAGE));
            }
        }
    }

    @Test
    void g74_random_keys_that_differ_by_one_byte_are_told_apart() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] alphabet = "/.%\0\n a@\\-2Ff".getBytes(UTF_8);
        Map<BlockKey, Integer> model = new HashMap<>();
        try (PoolHarness pool = PoolHarness.dram(512, new Marks(1, 0.99))) {
            for (int i = 0; i < 500; i++) {
                byte[] name = new byte[1 + random.nextInt(4)];
                for (int at = 0; at < name.length; at++) {
                    name[at] = alphabet[random.nextInt(alphabet.length)];
                }
                BlockKey key = BlockKey.of(name);
                model.put(key, i);
                assertThat(PoolHarness.put(pool.session, key, value(i, 64), PutHints.NONE, PutMode.REPLACE))
                        .isEqualTo(Answer.STORED);
            }
            assertThat(pool.pool.blocks()).as("seed %d", seed).isEqualTo(model.size());
            model.forEach((key, i) -> assertThat(PoolHarness.get(pool.session, key))
                    .as("seed %d, key %s", seed, key)
                    .isEqualTo(value(i, 64)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void g113_with_nothing_but_sizes_given_three_times_the_capacity_goes_through_every_tier(Below device)
            throws IOException {
        FarMedium below = device.open(folder, 80);
        try (PoolHarness pool = PoolHarness.tiered(40, below, Marks.DEFAULT, SAME)) {
            for (int name = 0; name < 3 * (40 + 80); name++) {
                pool.putPage(name);
                pool.settle();
            }
            for (int name : pool.held(360)) {
                assertThat(pool.get(name)).isEqualTo(value(name, PAGE));
            }
            assertThat(pool.held(360)).contains(359, 358, 357).hasSizeGreaterThan(80);
        }
    }

    @Test
    void g113_without_an_order_puts_are_refused_at_the_limit_and_nothing_is_lost() throws IOException {
        DramMedium dram = DramMedium.open(NativeSys.INSTANCE, DramOptions.of("dram0", 10L * PAGE));
        Awaitility.await().until(() -> dram.ledger().snapshot().untouched() == 0);
        PoolConfig config = PoolConfig.of(TierConfig.of("dram", Marks.DEFAULT, new TierMember(dram, 1)));
        try (PoolHarness pool = new PoolHarness(config, KeyHash.seeded(1))) {
            for (int name = 0; name < 30; name++) {
                assertThat(pool.put(name, value(name, PAGE))).isEqualTo(name < 10 ? Answer.STORED : Answer.NO_SPACE);
                pool.settle();
            }
            for (int name = 0; name < 10; name++) {
                assertThat(pool.get(name)).isEqualTo(value(name, PAGE));
            }
            assertThat(pool.backend().reservedBytes()).isZero();
            dram.copies().trackOrder("lru"); // from here on there is somebody to ask
            pool.settle();
            pool.putPage(30);
        }
    }
}
