package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Allocation;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.FaultySys;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small blocks that wait side by side go down in one write, and each of them still has its own end. */
class JointDemotionTest {
    private static final int BLOCKS = 16;
    private static final int BYTES = 4 * PAGE;

    @TempDir
    Path folder;

    private FaultySys sys = new FaultySys(NativeSys.INSTANCE);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private SsdMedium ssd;
    private PoolHarness pool;

    @BeforeEach
    void open() throws IOException {
        ssd = SsdMedium.open(sys, SsdOptions.of("ssd0", folder, 16L << 20));
        ssd.copies().trackOrder("lru+np");
        Marks marks = new Marks(0.9, 0.5);
        TierConfig upper = TierConfig.of("dram", marks, new TierMember(PoolHarness.dram("dram0", 512), 1));
        TierConfig lower = TierConfig.of("ssd", marks, new TierMember(ssd, 1));
        pool = PoolHarness.tiered(upper, lower, UnaryOperator.identity());
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        sys.heal();
        if (sys.isKilled()) {
            end();
        } else {
            pool.close();
        }
    }

    private void end() {
        try {
            pool.pool.close();
        } catch (FaultySys.Killed e) {
            assertThat(sys.isKilled()).isTrue();
        }
    }

    /** The next process. */
    private void killAndOpen() throws IOException {
        if (!sys.isKilled()) {
            sys.kill();
        }
        end();
        sys = new FaultySys(NativeSys.INSTANCE);
        open();
    }

    private static byte[] content(int name) {
        return value(name, BYTES - name % 3 * 100); // every third one fills its pages
    }

    private void queue(int blocks) {
        queue(0, blocks);
    }

    private void queue(int from, int blocks) {
        for (int name = from; name < blocks; name++) {
            assertThat(pool.put(name, content(name))).isEqualTo(Answer.STORED);
        }
        IntStream.range(from, blocks)
                .forEach(name -> assertThat(
                                pool.evict(name, EvictionReason.CAPACITY).outcome())
                        .isEqualTo(EvictionOutcome.DEMOTION_QUEUED));
    }

    private void assertBelow(int name) {
        assertThat(pool.where(name)).as("block %d", name).containsExactly("ssd0");
        assertThat(pool.get(name)).as("block %d", name).isEqualTo(content(name));
    }

    private long landed() {
        return pool.counter("tidemark_transitions_total", "demotion", "landed");
    }

    @Test
    void blocks_that_wait_together_are_written_and_recorded_together() throws IOException {
        queue(BLOCKS);
        AtomicLong data = new AtomicLong();
        AtomicLong records = new AtomicLong();
        sys.inject(call -> call.is("pwrite", "slab") && data.incrementAndGet() < 0, new FaultySys.Pass());
        sys.inject(call -> call.is("pwrite", "journal") && records.incrementAndGet() < 0, new FaultySys.Pass());
        pool.pool.transitionWork().run();
        assertThat(data).as("writes of data").hasValue(1);
        assertThat(records).as("writes of records").hasValue(1);
        assertThat(landed()).isEqualTo(BLOCKS);
        IntStream.range(0, BLOCKS).forEach(this::assertBelow);
        killAndOpen();
        IntStream.range(0, BLOCKS).forEach(this::assertBelow);
    }

    @Test
    void a_short_write_is_finished() {
        queue(BLOCKS);
        sys.inject(call -> call.is("pwrite", "slab"), new FaultySys.Partial(5 * PAGE), 1);
        pool.pool.transitionWork().run();
        IntStream.range(0, BLOCKS).forEach(this::assertBelow);
    }

    private void failJointWritesAndTheFourthAlone() {
        AtomicLong alone = new AtomicLong();
        sys.inject(
                call -> call.is("pwrite", "slab") && (call.bytes() > BYTES || alone.getAndIncrement() == 3),
                new FaultySys.Fail(Errno.EIO));
    }

    @Test
    void where_one_write_fails_the_others_land_and_the_one_is_tried_again() {
        queue(BLOCKS);
        failJointWritesAndTheFourthAlone();
        pool.pool.transitionWork().run();
        assertThat(landed()).isEqualTo(BLOCKS - 1);
        assertThat(pool.counter("tidemark_demotion_retries_total")).isEqualTo(1);
        assertThat(pool.counter("tidemark_io_errors_total", "ssd0", "write"))
                .as("the joint write and the one alone")
                .isEqualTo(2);
        assertThat(pool.counter("tidemark_io_errors_total", "ssd0", "read")).isZero();
        sys.heal();
        pool.clocks.advanceMillis(10);
        pool.pool.transitionWork().run();
        IntStream.range(0, BLOCKS).forEach(this::assertBelow);
        assertThat(pool.pool.status().transitions()).isZero();
    }

    @Test
    void a_block_that_failed_alone_does_not_fail_others_with_it() {
        queue(BLOCKS);
        failJointWritesAndTheFourthAlone();
        pool.pool.transitionWork().run();
        sys.heal();
        queue(BLOCKS, BLOCKS + 4);
        pool.clocks.advanceMillis(10);
        List<Long> writes = new ArrayList<>();
        sys.inject(call -> call.is("pwrite", "slab") && !writes.add(call.bytes()), new FaultySys.Pass());
        pool.pool.transitionWork().run();
        assertThat(writes).as("the four together").contains(4L * BYTES);
        assertThat(writes.stream().mapToLong(bytes -> bytes).sum())
                .as("and the one")
                .isEqualTo(5L * BYTES);
        IntStream.range(0, BLOCKS + 4).forEach(this::assertBelow);
    }

    @Test
    void who_waits_for_one_block_does_not_wait_for_the_tries_of_the_others() throws Exception {
        queue(BLOCKS);
        CountDownLatch alone = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        sys.inject(call -> call.is("pwrite", "slab") && call.bytes() > BYTES, new FaultySys.Fail(Errno.EIO));
        hang(call -> call.is("pwrite", "slab") && call.bytes() <= BYTES, alone, go, 1);
        CompletableFuture<Void> worker =
                CompletableFuture.runAsync(() -> pool.pool.transitionWork().run(), threads);
        assertThat(alone.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(pool.evict(BLOCKS - 1, EvictionReason.DELETED).unwritten()).isEmpty();
        go.countDown();
        worker.get(10, TimeUnit.SECONDS);
        IntStream.range(0, BLOCKS - 1).forEach(this::assertBelow);
    }

    /** Lets so many calls of a kind hang until {@code go}, and counts {@code reached} down when one does. */
    private void hang(Predicate<FaultySys.Call> when, CountDownLatch reached, CountDownLatch go, int times) {
        sys.inject(
                call -> {
                    boolean hangs = when.test(call);
                    if (hangs) {
                        reached.countDown();
                    }
                    return hangs;
                },
                new FaultySys.Hang(go),
                times);
    }

    @Test
    void a_device_that_has_enough_workers_is_waited_for_and_the_blocks_stay_together() throws Exception {
        queue(BLOCKS);
        CountDownLatch go = new CountDownLatch(1);
        int workers = PoolLimits.DEFAULT.transitionWorkers();
        CountDownLatch busy = new CountDownLatch(workers);
        hang(call -> call.is("pwrite", "slab"), busy, go, workers);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            all.add(CompletableFuture.runAsync(() -> pool.pool.transitionWork().run(), threads));
            int left = workers - worker - 1;
            Awaitility.await().until(() -> busy.getCount() == left);
            queue(BLOCKS * (worker + 1), BLOCKS * (worker + 2));
        }
        pool.pool.transitionWork().run();
        assertThat(pool.counter("tidemark_demotion_retries_total")).isEqualTo(BLOCKS);
        go.countDown();
        all.forEach(CompletableFuture::join);
        pool.clocks.advanceMillis(10);
        long before = sys.count("pwrite");
        pool.pool.transitionWork().run();
        assertThat(sys.count("pwrite") - before).as("data and records").isEqualTo(2);
        IntStream.range(0, BLOCKS * (workers + 1)).forEach(this::assertBelow);
    }

    @Test
    void while_the_device_is_read_blocks_go_down_in_writes_as_long_as_the_read() throws Exception {
        int blocks = 3 * BLOCKS;
        pool.put(blocks, content(blocks));
        pool.evict(blocks, EvictionReason.CAPACITY);
        pool.pool.transitionWork().run();
        CountDownLatch read = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        hang(call -> call.is("pread", "slab"), read, go, 1);
        CompletableFuture<byte[]> reader = CompletableFuture.supplyAsync(() -> pool.get(blocks), threads);
        assertThat(read.await(10, TimeUnit.SECONDS)).isTrue();
        List<Long> writes = new CopyOnWriteArrayList<>();
        hang(call -> call.is("pwrite", "slab") && !writes.add(call.bytes()), read, go, 1);
        queue(blocks);
        pool.pool.transitionWork().run();
        assertThat(landed()).isEqualTo(blocks + 1);
        assertThat(writes).hasSize(blocks * BYTES / (64 << 10)).containsOnly(64L << 10);
        go.countDown();
        assertThat(reader.get(10, TimeUnit.SECONDS)).isEqualTo(content(blocks));
    }

    @Test
    void records_that_cannot_be_written_cost_no_block() throws IOException {
        queue(BLOCKS);
        sys.inject(call -> call.is("pwrite", "journal"), new FaultySys.Fail(Errno.EIO), 1);
        pool.pool.transitionWork().run();
        pool.clocks.advanceMillis(10);
        pool.pool.transitionWork().run();
        IntStream.range(0, BLOCKS).forEach(this::assertBelow);
        killAndOpen();
        IntStream.range(0, BLOCKS).forEach(this::assertBelow);
    }

    @Test
    void a_block_that_is_deleted_while_all_are_written_does_not_come_back() throws Exception {
        queue(BLOCKS);
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        hang(call -> call.is("pwrite", "slab") && call.bytes() > BYTES, written, go, 1);
        CompletableFuture<Void> worker =
                CompletableFuture.runAsync(() -> pool.pool.transitionWork().run(), threads);
        assertThat(written.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<EvictionResult> delete =
                CompletableFuture.supplyAsync(() -> pool.evict(7, EvictionReason.DELETED), threads);
        Awaitility.await().until(() -> !pool.pool.contains(key(7)));
        assertThat(delete).isNotDone();
        go.countDown();
        delete.get(10, TimeUnit.SECONDS);
        worker.get(10, TimeUnit.SECONDS);
        killAndOpen();
        assertThat(pool.get(7)).isNull();
        IntStream.range(0, BLOCKS).filter(name -> name != 7).forEach(this::assertBelow);
    }

    @Test
    void a_kill_within_the_write_leaves_whole_blocks_or_none() throws IOException {
        for (long bytes : new long[] {0, PAGE, 3 * BYTES + PAGE}) {
            queue(BLOCKS);
            sys.inject(call -> call.is("pwrite", "slab"), new FaultySys.Kill(bytes), 1);
            try {
                pool.pool.transitionWork().run();
            } catch (FaultySys.Killed e) {
                assertThat(sys.isKilled()).isTrue();
            }
            killAndOpen();
            assertThat(pool.held(BLOCKS)).as("killed after %d bytes", bytes).isEmpty();
        }
    }

    @Test
    void both_parts_of_blocks_go_down_together() {
        for (int name = 0; name < BLOCKS; name++) {
            for (int part = 0; part < 2; part++) {
                assertThat(PoolHarness.put(
                                pool.session,
                                key(name).part(part),
                                value(name + part, part == 0 ? BYTES : 100),
                                PutHints.NONE,
                                PutMode.REPLACE))
                        .isEqualTo(Answer.STORED);
            }
            pool.evict(name, EvictionReason.CAPACITY);
        }
        long before = sys.count("pwrite");
        pool.pool.transitionWork().run();
        assertThat(sys.count("pwrite") - before).as("data and records").isEqualTo(2);
        for (int name = 0; name < BLOCKS; name++) {
            assertThat(pool.where(name)).containsExactly("ssd0");
            assertThat(PoolHarness.get(pool.session, key(name).part(0))).isEqualTo(value(name, BYTES));
            assertThat(PoolHarness.get(pool.session, key(name).part(1))).isEqualTo(value(name + 1, 100));
        }
    }

    @Test
    void where_there_is_not_room_for_all_as_many_go_as_fit() {
        queue(BLOCKS);
        long room = 5L * BYTES + 2 * PAGE;
        long rest = ssd.ledger().freeBytes() - room;
        List<Long> taken = new ArrayList<>();
        for (; rest > 0; rest -= 1 << 20) {
            Allocation space = ssd.allocate(Math.min(rest, 1 << 20));
            taken.add(((Allocation.Allocated) space).copy());
        }
        pool.pool.transitionWork().run();
        assertThat(landed()).isEqualTo(5);
        assertThat(pool.counter("tidemark_demotion_retries_total")).isEqualTo(BLOCKS - 5);
        taken.forEach(ssd::abort);
        pool.clocks.advanceMillis(10);
        pool.pool.transitionWork().run();
        IntStream.range(0, BLOCKS).forEach(this::assertBelow);
    }
}
