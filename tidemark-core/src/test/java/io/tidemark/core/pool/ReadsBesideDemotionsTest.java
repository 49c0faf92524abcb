package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.FaultySys;
import io.tidemark.core.medium.MemoryDir;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of a device that a long line of demotions wants to go to. */
class ReadsBesideDemotionsTest {
    private static final int QUEUED = 10_000;
    private static final int READS = 100;
    private static final int READ_BYTES = 64 << 10;
    private static final int WORKERS = 4;

    @TempDir(factory = MemoryDir.class)
    Path folder;

    private final FaultySys sys = new FaultySys(NativeSys.INSTANCE);

    /** With memory of which no mark is near. */
    private PoolHarness opened() throws Exception {
        SsdMedium ssd = PoolHarness.ssd(sys, "ssd0", folder, 128L << 20, "lru");
        return PoolHarness.tiered(
                TierConfig.of("dram", Marks.DEFAULT, new TierMember(PoolHarness.dram("dram0", 2 * QUEUED), 1)),
                TierConfig.of("ssd", Marks.DEFAULT, new TierMember(ssd, 1)),
                limits -> limits);
    }

    /** Blocks to be read that are on the device only, then a line of demotions that nobody has begun with. */
    private static void prepare(PoolHarness pool) {
        for (int number = 0; number <= READS; number++) {
            pool.put("read" + number, value(number, READ_BYTES));
            pool.evictFrom("read" + number, "dram0");
        }
        pool.settle();
        for (int name = 0; name < QUEUED; name++) {
            pool.putPage(name);
            assertThat(pool.evictFrom(name, "dram0")).isEqualTo(EvictionOutcome.DEMOTION_QUEUED);
        }
    }

    /** One read hangs in the device meanwhile, so that it is being read however slow this machine is. */
    @Test
    void g126_demotionsGoOnInPiecesNoLongerThanWhatIsRead() throws Exception {
        try (PoolHarness pool = opened()) {
            prepare(pool);
            CountDownLatch reading = new CountDownLatch(1);
            CountDownLatch released = new CountDownLatch(1);
            sys.inject(call -> call.is("pread", "slab") && counted(reading), new FaultySys.Hang(released), 1);
            BlockKey hanging = PoolHarness.key("read" + READS);
            Thread reader = Thread.ofPlatform().start(() -> PoolHarness.get(pool.pool.session("reader"), hanging));
            assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();
            AtomicLong longest = new AtomicLong();
            AtomicLong written = new AtomicLong();
            sys.inject(
                    call -> call.name().startsWith("pwrite")
                            && call.on().endsWith("slab")
                            && written.addAndGet(call.bytes()) > 0
                            && longest.accumulateAndGet(call.bytes(), Math::max) < 0,
                    new FaultySys.Pass());
            List<Thread> workers = Stream.generate(() -> Thread.ofPlatform()
                            .start(() -> pool.pool.transitionWork().run()))
                    .limit(WORKERS)
                    .toList();
            for (int number = 0; number < READS; number++) {
                assertThat(pool.get("read" + number)).isEqualTo(value(number, READ_BYTES));
            }
            for (Thread worker : workers) {
                worker.join();
            }
            pool.settle();
            assertThat(pool.pool.status().transitions())
                    .as("while a read is under way")
                    .isZero();
            assertThat(written.get()).isGreaterThanOrEqualTo((long) QUEUED * PAGE);
            assertThat(longest.get()).isBetween((long) PAGE, 2L * READ_BYTES); // of the one that hangs and one more
            released.countDown();
            reader.join(); // answered, or tired of waiting
            assertThat(pool.get("read" + READS)).isEqualTo(value(READS, READ_BYTES));
        }
    }

    private static boolean counted(CountDownLatch latch) {
        latch.countDown();
        return true;
    }

    @Test
    void demotionsHurryWhileMemoryIsShort() {
        FarMedium far = new FarMedium("far0", 64);
        try (PoolHarness pool = PoolHarness.tiered(20, far, new Marks(0.5, 0.3), limits -> limits)) {
            IntStream.range(0, 14).forEach(pool::putPage);
            assertThat(far.hurried.getAsBoolean())
                    .as("above the high mark, by less than half")
                    .isFalse();
            pool.putPage(14);
            assertThat(far.hurried.getAsBoolean())
                    .as("half of what lies above it is in use")
                    .isTrue();
            assertThat(pool.put("large", value(1, 8 * PAGE))).isEqualTo(Answer.NO_SPACE);
            IntStream.range(0, 5).forEach(name -> pool.evict(name, EvictionReason.DELETED));
            assertThat(far.hurried.getAsBoolean()).as("a put found no space").isTrue();
            pool.clocks.advanceMillis(1_001);
            assertThat(far.hurried.getAsBoolean()).as("a second later").isFalse();
        }
    }
}
