package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.medium.FaultySys;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of values, in memory and on a device. */
class RangesTest {
    private static final int UNIT = 64 << 10;
    private static final int BYTES = 10 * UNIT + 777;

    @TempDir
    Path folder;

    private final FaultySys sys = new FaultySys(NativeSys.INSTANCE);
    private final List<Long> deviceReads = Collections.synchronizedList(new ArrayList<>());
    private PoolHarness pool;

    @BeforeEach
    void open() throws IOException {
        SsdMedium ssd = SsdMedium.open(sys, SsdOptions.of("ssd0", folder, 64L << 20));
        ssd.copies().trackOrder("lru");
        Marks marks = new Marks(0.9, 0.5);
        TierConfig upper = TierConfig.of("dram", marks, new TierMember(PoolHarness.dram("dram0", 2048), 1));
        TierConfig lower = TierConfig.of("ssd", marks, new TierMember(ssd, 1));
        pool = PoolHarness.tiered(upper, lower, UnaryOperator.identity());
        sys.inject(this::seen, new FaultySys.Pass());
    }

    /** Notes a read of the device, and lets the next rule have it. */
    private boolean seen(FaultySys.Call call) {
        if (call.is("pread")) {
            deviceReads.add(call.bytes());
        }
        return false;
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private void putBelow(int name) {
        assertThat(pool.put(name, value(name, BYTES))).isEqualTo(Answer.STORED);
        pool.evict(name, EvictionReason.CAPACITY);
        pool.settle();
        assertThat(pool.where(name)).containsExactly("ssd0");
        deviceReads.clear();
    }

    private ReadResult.Pinned read(int name, ByteRange... ranges) {
        return (ReadResult.Pinned) pool.session.readRanges(key(name), bytes -> List.of(ranges));
    }

    private static byte[] bytes(ReadResult.Pinned pin, ByteRange range) {
        byte[] bytes = new byte[(int) range.length()];
        long at = 0;
        for (MemorySegment segment : pin.segments(range)) {
            MemorySegment.copy(segment, 0, MemorySegment.ofArray(bytes), at, segment.byteSize());
            at += segment.byteSize();
        }
        assertThat(at).isEqualTo(range.length());
        return bytes;
    }

    private static byte[] part(int name, ByteRange range) {
        return Arrays.copyOfRange(value(name, BYTES), (int) range.offset(), (int) range.end());
    }

    private long largeReads() {
        return List.copyOf(deviceReads).stream()
                .filter(bytes -> bytes > (1 << 20))
                .count();
    }

    private long readBytes() {
        return deviceReads.stream().mapToLong(bytes -> bytes).sum();
    }

    @Test
    void a_device_reads_the_units_of_the_ranges_and_no_others() {
        putBelow(1);
        ByteRange first = new ByteRange(10, 100);
        ByteRange inTheFifth = new ByteRange(5 * UNIT + 1, UNIT - 2);
        try (ReadResult.Pinned pin = read(1, inTheFifth, first)) {
            assertThat(pin.bytes()).isEqualTo(BYTES);
            assertThat(bytes(pin, first)).isEqualTo(part(1, first));
            assertThat(bytes(pin, inTheFifth)).isEqualTo(part(1, inTheFifth));
        }
        assertThat(readBytes()).isEqualTo(2L * UNIT);
        assertThat(pool.counter("tidemark_hit_bytes_total", "ssd0")).isEqualTo(100 + UNIT - 2);
    }

    @Test
    void neighbours_are_read_at_once_and_the_tail_as_far_as_it_goes() {
        putBelow(1);
        ByteRange tail = new ByteRange(BYTES - 5, 5);
        ByteRange before = new ByteRange(9L * UNIT, UNIT);
        try (ReadResult.Pinned pin = read(1, tail, before)) {
            assertThat(bytes(pin, tail)).isEqualTo(part(1, tail));
            assertThat(bytes(pin, before)).isEqualTo(part(1, before));
        }
        assertThat(readBytes()).isEqualTo(UNIT + 4096L);
    }

    @Test
    void ranges_in_any_order_overlapping_or_not_are_byte_exact_in_memory_and_on_a_device() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        putBelow(1);
        assertThat(pool.put(2, value(2, BYTES))).isEqualTo(Answer.STORED);
        for (int round = 0; round < 100; round++) {
            List<ByteRange> ranges = IntStream.range(0, 1 + random.nextInt(6))
                    .mapToObj(i -> {
                        int offset = random.nextInt(BYTES);
                        return new ByteRange(offset, 1 + random.nextInt(Math.min(BYTES - offset, 200_000)));
                    })
                    .toList();
            for (int name = 1; name <= 2; name++) {
                try (ReadResult.Pinned pin = read(name, ranges.toArray(ByteRange[]::new))) {
                    for (ByteRange range : ranges) {
                        assertThat(bytes(pin, range))
                                .as("seed %d, %s", seed, ranges)
                                .isEqualTo(part(name, range));
                    }
                }
            }
        }
    }

    @Test
    void what_was_not_asked_for_cannot_be_had() {
        putBelow(1);
        assertThat(pool.put(2, value(2, BYTES))).isEqualTo(Answer.STORED);
        for (int name = 1; name <= 2; name++) {
            try (ReadResult.Pinned pin = read(name, new ByteRange(100, 100), new ByteRange(200, 50))) {
                assertThat(bytes(pin, new ByteRange(150, 100))).isEqualTo(part(name, new ByteRange(150, 100)));
                assertThatThrownBy(() -> pin.segments(new ByteRange(99, 10))).hasMessageContaining("not asked for");
                assertThatThrownBy(() -> pin.segments(new ByteRange(240, 11))).hasMessageContaining("not asked for");
                assertThatThrownBy(pin::segments).hasMessageContaining("not asked for");
            }
        }
    }

    @Test
    void a_range_beyond_the_value_is_refused_and_holds_nothing() {
        putBelow(1);
        assertThatThrownBy(() -> read(1, new ByteRange(BYTES - 1, 2))).hasMessageContaining("of a value of " + BYTES);
        assertThatThrownBy(() -> new ByteRange(0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ByteRange(-1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ByteRange(Long.MAX_VALUE, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(pool.pool.status().pins()).isZero();
        assertThat(deviceReads).isEmpty();
    }

    @Test
    void a_read_of_no_range_tells_the_length_without_a_device() {
        putBelow(1);
        try (ReadResult.Pinned pin = read(1)) {
            assertThat(pin.bytes()).isEqualTo(BYTES);
        }
        assertThat(deviceReads).isEmpty();
        assertThat(pool.session.readRanges(key(9), Ranges.WHOLE)).isEqualTo(new ReadResult.Missed());
    }

    @Test
    void a_damaged_unit_costs_the_reads_that_need_it_and_no_others() throws IOException {
        putBelow(1);
        try (RandomAccessFile slab = new RandomAccessFile(folder.resolve("slab").toFile(), "rw")) {
            slab.seek(3L * UNIT + 5);
            slab.write(slab.read() ^ 1);
        }
        try (ReadResult.Pinned pin = read(1, new ByteRange(0, 3L * UNIT))) {
            assertThat(bytes(pin, new ByteRange(0, 3L * UNIT))).isEqualTo(part(1, new ByteRange(0, 3L * UNIT)));
        }
        assertThat(pool.session.readRanges(key(1), bytes -> List.of(new ByteRange(3L * UNIT, 1))))
                .isEqualTo(new ReadResult.Missed());
        assertThat(pool.where(1)).isEmpty();
        assertThat(pool.counter("tidemark_unreadable_copies_total")).isEqualTo(1);
    }

    @Test
    void readers_of_the_same_ranges_share_a_device_read_and_others_do_not() {
        putBelow(1);
        CountDownLatch gate = new CountDownLatch(1);
        sys.inject(call -> call.is("pread"), new FaultySys.Hang(gate), 2);
        List<ReadResult> answers = Collections.synchronizedList(new ArrayList<>());
        ByteRange low = new ByteRange(0, 10);
        ByteRange sameUnit = new ByteRange(UNIT - 10, 10);
        ByteRange other = new ByteRange(UNIT, 10);
        for (ByteRange range : List.of(low, sameUnit, other)) {
            pool.session.readRanges(key(1), bytes -> List.of(range), answers::add);
        }
        gate.countDown();
        Awaitility.await().until(() -> answers.size() == 3);
        assertThat(pool.counter("tidemark_fetches_total", "read")).isEqualTo(2);
        assertThat(pool.counter("tidemark_fetches_total", "shared")).isEqualTo(1);
        answers.forEach(answer -> ((ReadResult.Pinned) answer).close());
    }

    @Test
    void small_reads_do_not_wait_behind_large_ones() {
        int large = 3 << 19;
        for (int name = 1; name <= 10; name++) {
            assertThat(pool.put(name, value(name, name == 10 ? BYTES : large))).isEqualTo(Answer.STORED);
            pool.evict(name, EvictionReason.CAPACITY);
            pool.settle();
        }
        CountDownLatch gate = new CountDownLatch(1);
        sys.inject(call -> call.is("pread") && call.bytes() > (1 << 20), new FaultySys.Hang(gate));
        List<ReadResult> answers = Collections.synchronizedList(new ArrayList<>());
        for (int name = 1; name < 10; name++) {
            pool.session.read(key(name), answers::add);
        }
        Awaitility.await().until(() -> largeReads() == 4);
        assertThat(pool.get(10)).isEqualTo(value(10, BYTES));
        assertThat(largeReads()).as("of nine, at once").isEqualTo(4);
        gate.countDown();
        Awaitility.await().until(() -> answers.size() == 9);
        answers.forEach(answer -> ((ReadResult.Pinned) answer).close());
    }

    @Test
    void a_put_in_parts_is_published_at_once_and_only_whole() {
        assertThat(pool.put(1, value(1, 100))).isEqualTo(Answer.STORED);
        byte[] bytes = value(7, BYTES);
        List<ByteRange> parts =
                List.of(new ByteRange(UNIT, BYTES - UNIT), new ByteRange(0, 5), new ByteRange(5, UNIT - 5));
        assertThat(ByteRange.tile(parts, BYTES)).isTrue();
        Reserved.Reservation put =
                (Reserved.Reservation) pool.session.reserve(key(1), BYTES, PutHints.NONE, PutMode.REPLACE);
        for (ByteRange part : parts) {
            assertThat(pool.get(1)).isEqualTo(value(1, 100));
            PoolHarness.fill(put.segments(part), Arrays.copyOfRange(bytes, (int) part.offset(), (int) part.end()));
        }
        assertThat(put.commit()).isEqualTo(Answer.STORED);
        assertThat(pool.get(1)).isEqualTo(bytes);
    }

    @Test
    void parts_with_a_gap_an_overlap_or_a_missing_tail_do_not_tile() {
        ByteRange head = new ByteRange(0, 10);
        assertThat(ByteRange.tile(List.of(head, new ByteRange(10, 5)), 15)).isTrue();
        assertThat(ByteRange.tile(List.of(), 0)).isTrue();
        assertThat(ByteRange.tile(List.of(), 1)).isFalse();
        assertThat(ByteRange.tile(List.of(head, new ByteRange(11, 4)), 15)).isFalse();
        assertThat(ByteRange.tile(List.of(head, new ByteRange(9, 6)), 15)).isFalse();
        assertThat(ByteRange.tile(List.of(head, head), 10)).isFalse();
        assertThat(ByteRange.tile(List.of(head), 15)).isFalse();
        assertThat(ByteRange.tile(List.of(head), 5)).isFalse();
    }

    @Test
    void parts_that_do_not_tile_never_replace_a_value_whichever_way_they_are_committed() {
        List<List<ByteRange>> faulty = List.of(
                List.of(),
                List.of(new ByteRange(0, 10)),
                List.of(new ByteRange(0, 10), new ByteRange(11, BYTES - 11)),
                List.of(new ByteRange(0, 10), new ByteRange(9, BYTES - 9)));
        List<ToAnswer> ways = List.of(
                Reserved.Reservation::commit,
                put -> put.commit(PutHints.NONE, PutMode.REPLACE),
                put -> put.exchange(PutHints.NONE, PutMode.REPLACE, new ReadResult.Missed(), old -> close(old)),
                put -> pool.session.commitTogether(List.of(put), PutHints.NONE));
        assertThat(pool.put(1, value(1, 100))).isEqualTo(Answer.STORED);
        for (ToAnswer way : ways) {
            for (List<ByteRange> parts : faulty) {
                Reserved.Reservation put =
                        (Reserved.Reservation) pool.session.reserve(key(1), BYTES, PutHints.NONE, PutMode.REPLACE);
                parts.forEach(part -> PoolHarness.fill(put.segments(part), value(2, (int) part.length())));
                assertThat(way.of(put)).as("%s", parts).isEqualTo(Answer.FAILED);
                assertThat(pool.get(1)).isEqualTo(value(1, 100));
            }
        }
    }

    private interface ToAnswer {
        Answer of(Reserved.Reservation put);
    }

    private static void close(ReadResult read) {
        if (read instanceof ReadResult.Pinned pinned) {
            pinned.close();
        }
    }

    @Test
    void a_put_of_parts_that_finds_no_room_or_ends_early_leaves_the_older_value() {
        assertThat(pool.put(1, value(1, 100))).isEqualTo(Answer.STORED);
        Reserved.Reservation put =
                (Reserved.Reservation) pool.session.reserve(key(1), BYTES, PutHints.NONE, PutMode.REPLACE);
        PoolHarness.fill(put.segments(new ByteRange(3, 10)), value(2, 10));
        assertThatThrownBy(() -> put.segments(new ByteRange(BYTES, 1))).isInstanceOf(IndexOutOfBoundsException.class);
        put.close();
        assertThat(pool.session.reserve(key(1), 1L << 29, PutHints.NONE, PutMode.REPLACE))
                .isEqualTo(new Reserved.Refused(Answer.TOO_LARGE));
        assertThat(pool.get(1)).isEqualTo(value(1, 100));
    }
}
