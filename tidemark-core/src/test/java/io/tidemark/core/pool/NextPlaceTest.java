package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.FaultySys;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A block goes down alone, the device that is its place takes no write, and the next one takes it. */
class NextPlaceTest {
    private static final int LENGTH = 3 * PAGE;

    @TempDir
    Path folder;

    private final FaultySys first = new FaultySys(NativeSys.INSTANCE);
    private final FaultySys second = new FaultySys(NativeSys.INSTANCE);
    private final CountDownLatch released = new CountDownLatch(1);
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private Medium ssd0;
    private PoolHarness pool;
    /** A block whose place is the first device. */
    private int name;

    @BeforeEach
    void open() throws IOException {
        Marks marks = new Marks(0.9, 0.5);
        ssd0 = ssd("ssd0", first);
        TierConfig upper = TierConfig.of("dram", marks, new TierMember(PoolHarness.dram("dram0", 64), 1));
        TierConfig lower = TierConfig.of("ssd", marks, new TierMember(ssd0, 1), new TierMember(ssd("ssd1", second), 1));
        pool = PoolHarness.tiered(upper, lower, UnaryOperator.identity());
        name = pool.placedOn("ssd0", 100).getFirst();
        assertThat(pool.put(name, value(name, LENGTH))).isEqualTo(Answer.STORED);
        assertThat(pool.evict(name, EvictionReason.CAPACITY).outcome()).isEqualTo(EvictionOutcome.DEMOTION_QUEUED);
    }

    private SsdMedium ssd(String name, FaultySys sys) throws IOException {
        return PoolHarness.ssd(sys, name, folder, 16L << 20, "lru");
    }

    @AfterEach
    void close() throws InterruptedException {
        first.heal();
        second.heal();
        released.countDown();
        workers.shutdown();
        assertThat(workers.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        pool.close();
    }

    /** What could not be written there was once published beside the copy that could, with sums over what lay on its pages. */
    @ParameterizedTest
    @ValueSource(ints = {Errno.EIO, Errno.ENOSPC})
    void whatCouldNotBeWrittenIsNeverRead(int errno) {
        first.inject(call -> call.is("pwrite", "slab"), new FaultySys.Fail(errno), 1);
        pool.pool.transitionWork().run();
        assertThat(pool.where(name)).containsExactly("ssd1");
        assertThat(PoolHarness.get(pool.session, PoolHarness.key(name))).isEqualTo(value(name, LENGTH));
        assertThat(ssd0.ledger().snapshot().reserved()).isZero();
        assertThat(ssd0.ledger().snapshot().resident()).isZero();
    }

    @Test
    void aRecordThatCouldNotBeWrittenIsOfNoCopy() {
        first.inject(call -> call.is("pwrite", "journal"), new FaultySys.Fail(Errno.EIO), 1);
        pool.pool.transitionWork().run();
        assertThat(pool.where(name)).containsExactly("ssd1");
        assertThat(PoolHarness.get(pool.session, PoolHarness.key(name))).isEqualTo(value(name, LENGTH));
        assertThat(ssd0.ledger().snapshot().resident()).isZero();
    }

    /** The place of the block was named once, where the move was no more. */
    @Test
    void aDeleteNamesTheDeviceWhereTheMoveIs() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        first.inject(call -> call.is("pwrite", "slab"), new FaultySys.Fail(Errno.EIO), 1);
        second.inject(
                call -> {
                    boolean data = call.is("pwrite", "slab");
                    if (data) {
                        hangs.countDown();
                    }
                    return data;
                },
                new FaultySys.Hang(released));
        workers.execute(pool.pool.transitionWork()::run);
        assertThat(hangs.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<EvictionResult> delete =
                CompletableFuture.supplyAsync(() -> pool.evict(name, EvictionReason.DELETED), workers);
        assertThat(delete.get(10, TimeUnit.SECONDS).unwritten()).containsExactly("ssd1");
        assertThat(pool.counter("tidemark_failed_retracts_total", "ssd0")).isZero();
        assertThat(pool.counter("tidemark_failed_retracts_total", "ssd1")).isEqualTo(1);
    }

    /** It is named by nobody then: who deleted the block was told of the first device alone. */
    @Test
    void aBlockThatIsDeletedMeanwhileGoesToNoFurtherDevice() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        first.inject(
                call -> {
                    boolean data = call.is("pwrite", "slab");
                    if (data) {
                        hangs.countDown();
                    }
                    return data;
                },
                new FaultySys.Hang(released),
                1);
        first.inject(call -> call.is("pwrite", "journal"), new FaultySys.Fail(Errno.EIO), 1);
        CompletableFuture<Void> moving = CompletableFuture.runAsync(pool.pool.transitionWork()::run, workers);
        assertThat(hangs.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<EvictionResult> delete =
                CompletableFuture.supplyAsync(() -> pool.evict(name, EvictionReason.DELETED), workers);
        assertThat(delete.get(10, TimeUnit.SECONDS).unwritten()).containsExactly("ssd0");
        long writes = second.count("pwrite");
        released.countDown();
        moving.get(10, TimeUnit.SECONDS);
        assertThat(second.count("pwrite")).as("writes on the other device").isEqualTo(writes);
        assertThat(pool.where(name)).isEmpty();
    }
}
