package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.core.medium.FaultySys;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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

/** Blocks that go down together go to one device: one that hangs keeps its own, and no block of the other. */
class TwoDevicesTogetherTest {
    private static final int BLOCKS = 32;

    @TempDir
    Path folder;

    private final FaultySys sick = new FaultySys(NativeSys.INSTANCE);
    private final FaultySys sound = new FaultySys(NativeSys.INSTANCE);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch hangs = new CountDownLatch(1);
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private PoolHarness pool;

    @BeforeEach
    void open() throws IOException {
        Marks marks = new Marks(0.9, 0.5);
        TierConfig upper = TierConfig.of("dram", marks, new TierMember(PoolHarness.dram("dram0", 256), 1));
        TierConfig lower = TierConfig.of(
                "ssd", marks, new TierMember(ssd("ssd0", sick), 1), new TierMember(ssd("ssd1", sound), 1));
        pool = PoolHarness.tiered(upper, lower, UnaryOperator.identity());
        for (int name = 0; name < BLOCKS; name++) {
            assertThat(pool.put(name, value(name, PAGE))).isEqualTo(Answer.STORED);
            assertThat(pool.evict(name, EvictionReason.CAPACITY).outcome()).isEqualTo(EvictionOutcome.DEMOTION_QUEUED);
        }
        assertThat(placedOn("ssd0")).hasSizeGreaterThan(4);
        assertThat(placedOn("ssd1")).hasSizeGreaterThan(4);
        sick.inject(
                call -> {
                    boolean data = call.is("pwrite", "slab");
                    if (data) {
                        hangs.countDown();
                    }
                    return data;
                },
                new FaultySys.Hang(released));
    }

    private SsdMedium ssd(String name, FaultySys sys) throws IOException {
        return PoolHarness.ssd(sys, name, folder, 16L << 20, "lru");
    }

    @AfterEach
    void close() throws InterruptedException {
        sick.heal();
        released.countDown();
        workers.shutdown();
        assertThat(workers.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        pool.close();
    }

    private List<Integer> placedOn(String device) {
        return pool.placedOn(device, BLOCKS);
    }

    private void work() throws InterruptedException {
        for (int worker = 0; worker < 2; worker++) {
            workers.execute(pool.pool.transitionWork()::run);
        }
        assertThat(hangs.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void g68_blocksOfTheDeviceThatWorksLandWhileTheOtherOneHangs() throws Exception {
        work();
        for (int name : placedOn("ssd1")) {
            await().until(() -> pool.where(name).equals(List.of("ssd1")));
            assertThat(pool.evict(name, EvictionReason.DELETED).unwritten()).isEmpty();
        }
        assertThat(placedOn("ssd0")).allMatch(name -> pool.where(name).equals(List.of("dram0")));
    }

    @Test
    void aDeleteOfABlockOfTheDeviceThatWorksDoesNotWaitForTheOneThatHangs() throws Exception {
        // One worker, which may come to the blocks of the sick device first.
        workers.execute(pool.pool.transitionWork()::run);
        assertThat(hangs.await(10, TimeUnit.SECONDS)).isTrue();
        for (int name : placedOn("ssd1")) {
            assertThat(pool.evict(name, EvictionReason.DELETED).unwritten()).isEmpty();
        }
        assertThat(pool.counter("tidemark_failed_retracts_total")).isZero();
    }

    @Test
    void aDeleteThatTheHangingMoveKeepsNamesTheDeviceThatMayHoldTheBlock() throws Exception {
        work();
        int name = placedOn("ssd0").getFirst();
        CompletableFuture<EvictionResult> delete =
                CompletableFuture.supplyAsync(() -> pool.evict(name, EvictionReason.DELETED), workers);
        assertThat(delete.get(10, TimeUnit.SECONDS).unwritten()).containsExactly("ssd0");
        assertThat(pool.counter("tidemark_failed_retracts_total", "ssd0")).isEqualTo(1);
        assertThat(pool.counter("tidemark_failed_retracts_total", "dram0")).isZero();
        assertThat(pool.counter("tidemark_failed_retracts_total", "ssd1")).isZero();
    }
}
