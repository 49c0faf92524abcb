package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class PoolThreadTest {
    @Test
    void nothingThatADutyThrowsEndsTheThreadAndEachRowIsToldOnce() {
        AtomicInteger turns = new AtomicInteger();
        List<String> told = new CopyOnWriteArrayList<>();
        Signal signal = new Signal();
        PoolThread thread = new PoolThread(
                "t",
                signal,
                () -> {
                    int turn = turns.incrementAndGet();
                    if (turn <= 3) {
                        throw new OutOfMemoryError("test");
                    }
                    if (turn == 4) {
                        throw new AssertionError("test");
                    }
                },
                most -> TimeUnit.MILLISECONDS.toNanos(1),
                0,
                (name, failure, failures) -> {
                    told.add(failure.getClass().getSimpleName() + failures);
                    throw new IllegalStateException("a listener that fails");
                });
        thread.start();
        Awaitility.await().until(() -> turns.get() >= 6);
        assertThat(told).containsExactly("OutOfMemoryError1", "AssertionError4");
        assertThat(thread.health().alive()).isTrue();
        assertThat(thread.health().failures()).isEqualTo(4);
        thread.stop();
        thread.join(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        assertThat(thread.health().alive()).isFalse();
    }

    @Test
    void whatIsRaisedDuringARestIsDoneAfterIt() {
        long rest = TimeUnit.MILLISECONDS.toNanos(20);
        List<Long> turns = new CopyOnWriteArrayList<>();
        Signal signal = new Signal();
        PoolThread thread = new PoolThread(
                "t", signal, () -> turns.add(System.nanoTime()), most -> most, rest, (name, failure, failures) -> {});
        thread.start();
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> {
            signal.raise();
            return turns.size() >= 6;
        });
        thread.stop();
        thread.join(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        for (int turn = 1; turn < turns.size(); turn++) {
            assertThat(turns.get(turn) - turns.get(turn - 1)).isGreaterThanOrEqualTo(rest);
        }
    }

    @Test
    void aPoolTellsHowItsThreadsDo() {
        TierConfig tier = TierConfig.of("dram", Marks.DEFAULT, new TierMember(PoolHarness.dram("dram0", 8), 1));
        Pool pool = Pool.open(PoolConfig.of(tier));
        assertThat(pool.threads()).extracting(ThreadHealth::name).containsExactly("tidemark-marks", "tidemark-time");
        assertThat(pool.threads()).allMatch(ThreadHealth::alive);
        pool.close();
        Awaitility.await().until(() -> pool.threads().stream().noneMatch(ThreadHealth::alive));
    }
}
