package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.medium.FaultySys;
import io.tidemark.core.medium.Ledger;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SlowDevice;
import io.tidemark.core.medium.SsdMedium;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many writers of large values before a small memory and a slow device: looked at while they write, not at rest. */
class HardBoundTest {
    private static final int WRITERS = 16;
    private static final int VALUE_BYTES = 1 << 20;
    private static final int DRAM_PAGES = (64 << 20) / PoolHarness.PAGE;
    private static final long SSD_BYTES = 128L << 20;
    private static final long DEVICE_BYTES_A_SECOND = 32L << 20;
    private static final long WAIT_MILLIS = 200;
    /** Values of each writer that are looked for at the end. */
    private static final int LAST = 8;

    /** Of these, how many must be there: memory alone has room for more below its low mark. */
    private static final int FOUND_LEAST = 32;

    /** For how long a writer tries its first value: with few processors beside others, sixteen do not all get one in a second. */
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

    @TempDir
    Path folder;

    private final LongAdder waits = new LongAdder();
    /** Of all memory that was ever handed out: where it begins and ends. */
    private final LongAccumulator lowest = new LongAccumulator(Math::min, Long.MAX_VALUE);

    private final LongAccumulator highest = new LongAccumulator(Math::max, 0);

    @Test
    void g56_memory_stays_within_its_capacity_while_sixteen_threads_put() throws Exception {
        run(Duration.ofSeconds(1));
    }

    @Test
    @Tag("soak")
    void g56_memory_stays_within_its_capacity_while_sixteen_threads_put_for_half_a_minute() throws Exception {
        run(Duration.ofSeconds(30));
    }

    private void run(Duration time) throws Exception {
        FaultySys sys = new FaultySys(NativeSys.INSTANCE);
        SlowDevice device = new SlowDevice(DEVICE_BYTES_A_SECOND);
        sys.inject(call -> call.is("pwrite", "slab"), new FaultySys.Slow(device));
        SsdMedium ssd = PoolHarness.ssd(sys, "ssd0", folder, SSD_BYTES, "lru");
        Medium dram = PoolHarness.dram("dram0", DRAM_PAGES);
        TierConfig upper = TierConfig.of("dram", Marks.DEFAULT, new TierMember(dram, 1));
        TierConfig lower = TierConfig.of("ssd", Marks.DEFAULT, new TierMember(ssd, 1));
        try (Pool pool = Pool.open(PoolConfig.of(upper.offloadingTo("ssd"), lower));
                ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            long end = System.nanoTime() + time.toNanos();
            List<Future<Integer>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int number = writer;
                writers.add(threads.submit(() -> write(pool, number, end)));
            }
            long most = usedMost(dram, writers);
            assertThat(waits.sum()).as("puts that found no space").isPositive();
            assertThat(most)
                    .as("used at most")
                    .isBetween(
                            dram.ledger().capacityBytes() * 9 / 10,
                            dram.ledger().capacityBytes());
            assertThat(highest.get() - lowest.get())
                    .as("from the first to the last byte that a put was given")
                    .isLessThanOrEqualTo(dram.ledger().capacityBytes());
            sys.heal();
            await().until(() -> pool.status().transitions() == 0);
            await().untilAsserted(pool::checkInvariants);
            int found = 0;
            for (int writer = 0; writer < WRITERS; writer++) {
                found += checkLast(pool, writer, writers.get(writer).get());
            }
            assertThat(found).isGreaterThanOrEqualTo(FOUND_LEAST);
        }
    }

    /** Looks all the time at an account that throws when it does not add up to the capacity; the most that was in use. */
    private static long usedMost(Medium dram, List<Future<Integer>> writers) {
        long most = 0;
        while (!writers.stream().allMatch(Future::isDone)) {
            Ledger.Snapshot now = dram.ledger().snapshot();
            most = Math.max(most, now.used());
            LockSupport.parkNanos(20_000);
        }
        return most;
    }

    /** Puts values until the time is over; answers how many were stored. */
    private int write(Pool pool, int writer, long end) throws InterruptedException {
        int number = 0;
        try (Session session = pool.session("writer " + writer)) {
            while (System.nanoTime() - end < (number == 0 ? FIRST_NANOS : 0)) {
                Reserved reserved = session.reserve(name(writer, number), VALUE_BYTES, PutHints.NONE, PutMode.CREATE);
                if (reserved instanceof Reserved.Reservation space) {
                    try (space) {
                        fill(space.segments(), word(writer, number));
                        assertThat(space.commit()).isEqualTo(Answer.STORED);
                    }
                    number++;
                } else {
                    assertThat(reserved).isEqualTo(new Reserved.Refused(Answer.NO_SPACE));
                    awaitSpace(session);
                }
            }
        }
        return number;
    }

    private void awaitSpace(Session session) throws InterruptedException {
        waits.increment();
        CountDownLatch called = new CountDownLatch(1);
        assertThat(session.awaitSpace(VALUE_BYTES, WAIT_MILLIS, called::countDown))
                .isTrue();
        assertThat(called.await(WAIT_MILLIS + 10_000, TimeUnit.MILLISECONDS))
                .as("a wait for space ends at its deadline")
                .isTrue();
    }

    private void fill(List<MemorySegment> segments, long word) {
        for (MemorySegment segment : segments) {
            lowest.accumulate(segment.address());
            highest.accumulate(segment.address() + segment.byteSize());
            for (long at = 0; at < segment.byteSize(); at += PoolHarness.PAGE) {
                segment.set(WORD, at, word);
            }
        }
        requireAll(segments, word);
    }

    private static void requireAll(List<MemorySegment> segments, long word) {
        for (MemorySegment segment : segments) {
            for (long at = 0; at < segment.byteSize(); at += PoolHarness.PAGE) {
                if (segment.get(WORD, at) != word) {
                    throw new AssertionError("bytes of another value in value " + Long.toHexString(word));
                }
            }
        }
    }

    /** How many of a writer's last values are there, each with its own bytes. */
    private static int checkLast(Pool pool, int writer, int end) {
        int found = 0;
        assertThat(end).as("values that writer %d has stored", writer).isPositive();
        try (Session session = pool.session("reader")) {
            for (int number = Math.max(0, end - LAST); number < end; number++) {
                if (session.read(name(writer, number)) instanceof ReadResult.Pinned pin) {
                    try (pin) {
                        requireAll(pin.segments(), word(writer, number));
                    }
                    found++;
                }
            }
        }
        return found;
    }

    private static BlockKey name(int writer, int number) {
        return PoolHarness.key(writer + "/" + number);
    }

    private static long word(int writer, int number) {
        return ((long) writer << 32) | number;
    }
}
