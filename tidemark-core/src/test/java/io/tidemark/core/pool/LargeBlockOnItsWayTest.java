package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.FaultySys;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.SsdMedium;
import io.tidemark.core.medium.SsdOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A block of many steps is written to a device while it is discarded: who discards it waits for one of them. */
@Timeout(60)
class LargeBlockOnItsWayTest {
    private static final int STEPS = 8;
    private static final int LENGTH = (int) (STEPS * Transfer.STEP_BYTES) + 100;
    private static final int NAME = 7;

    @TempDir
    Path folder;

    private final FaultySys sys = new FaultySys(NativeSys.INSTANCE);
    private final CountDownLatch writes = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicLong bytes = new AtomicLong();
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private SsdMedium ssd;
    private PoolHarness pool;

    /** Who no longer wants it, and what is there afterwards. */
    enum Discard {
        DELETE {
            @Override
            Set<String> run(PoolHarness pool) {
                return pool.evict(NAME, EvictionReason.DELETED).unwritten();
            }
        },
        OVERWRITE {
            @Override
            Set<String> run(PoolHarness pool) {
                assertThat(pool.put(NAME, value(1, PAGE))).isEqualTo(Answer.STORED);
                return Set.of();
            }
        },
        CLEAR {
            @Override
            Set<String> run(PoolHarness pool) {
                return pool.pool.clear();
            }
        };

        abstract Set<String> run(PoolHarness pool);
    }

    @BeforeEach
    void open() throws IOException {
        ssd = SsdMedium.open(sys, SsdOptions.of("ssd0", folder.resolve("ssd0"), 64L << 20));
        ssd.copies().trackOrder("lru");
        Marks marks = new Marks(0.9, 0.5);
        TierConfig upper = TierConfig.of("dram", marks, new TierMember(PoolHarness.dram("dram0", 8192), 1));
        pool = PoolHarness.tiered(upper, TierConfig.of("ssd", marks, new TierMember(ssd, 1)), UnaryOperator.identity());
        assertThat(pool.put(NAME, value(NAME, LENGTH))).isEqualTo(Answer.STORED);
        assertThat(pool.evict(NAME, EvictionReason.CAPACITY).outcome()).isEqualTo(EvictionOutcome.DEMOTION_QUEUED);
    }

    @AfterEach
    void close() throws InterruptedException {
        sys.heal();
        released.countDown();
        workers.shutdown();
        assertThat(workers.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        pool.close();
    }

    /** Counts what is written to the slab from here on, of which the first call hangs. */
    private void hangAtTheFirstStep() {
        sys.inject(
                call -> {
                    boolean first = call.is("pwrite", "slab") && bytes.getAndAdd(call.bytes()) == 0;
                    if (first) {
                        writes.countDown();
                    }
                    return first;
                },
                new FaultySys.Hang(released));
    }

    @ParameterizedTest
    @EnumSource(Discard.class)
    void whoDiscardsItWaitsForTheStepThatIsUnderWay(Discard discard) throws Exception {
        hangAtTheFirstStep();
        CompletableFuture<Void> moving = CompletableFuture.runAsync(pool.pool.transitionWork()::run, workers);
        assertThat(writes.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Set<String>> answer = CompletableFuture.supplyAsync(() -> discard.run(pool), workers);
        while (!answer.isDone() && Arrays.equals(pool.get(NAME), value(NAME, LENGTH))) {
            Thread.onSpinWait(); // until it is out of sight: what is left is to wait for the step
        }
        assertThat(answer).isNotDone();
        released.countDown();
        assertThat(answer.get(10, TimeUnit.SECONDS)).isEmpty();
        moving.get(10, TimeUnit.SECONDS);
        assertThat(bytes).as("bytes written to the slab").hasValue(Transfer.STEP_BYTES);
        assertThat(pool.where(NAME)).doesNotContain("ssd0");
        assertThat(ssd.ledger().snapshot().reserved()).isZero();
        assertThat(ssd.ledger().snapshot().resident()).isZero();
    }

    @Test
    void whatNobodyDiscardsGoesDownWhole() {
        hangAtTheFirstStep();
        released.countDown();
        pool.pool.transitionWork().run();
        assertThat(pool.where(NAME)).containsExactly("ssd0");
        assertThat(pool.get(NAME)).isEqualTo(value(NAME, LENGTH));
        assertThat(bytes.get()).isGreaterThanOrEqualTo(LENGTH);
    }
}
