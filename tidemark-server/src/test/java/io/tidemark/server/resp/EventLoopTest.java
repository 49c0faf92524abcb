package io.tidemark.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.pool.Clocks;
import io.tidemark.server.resp.command.RespStats;
import io.tidemark.server.resp.protocol.LoopBuffers;
import io.tidemark.server.resp.protocol.ReplyMemory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventLoopTest {
    private static final long SECOND_NANOS = 1_000_000_000;

    private final RespStats stats = new RespStats();
    private final Clocks clocks = Clocks.system();
    private EventLoop loop;

    @BeforeEach
    void start() throws Exception {
        loop = new EventLoop("loop", clocks, 10, new LoopBuffers(new ReplyMemory(1 << 20)), new LoopFailures(stats));
        loop.start();
    }

    @AfterEach
    void stop() throws Exception {
        loop.drain(clocks.monotonicNanos());
        assertThat(loop.join(5_000)).isTrue();
    }

    @Test
    void aTaskThatThrowsAnErrorEndsNeitherTheLoopNorTheTasksBehindIt() throws Exception {
        CountDownLatch later = new CountDownLatch(1);
        loop.execute(() -> {
            throw new OutOfMemoryError("Cannot reserve 16384 bytes of direct buffer memory (test)");
        });
        loop.execute(() -> {
            throw new IllegalStateException("test");
        });
        loop.execute(later::countDown);
        assertThat(later.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(stats.loopFailures.sum()).isEqualTo(2);
        assertThat(loop.sickness(clocks.monotonicNanos(), 30_000)).isEmpty();
    }

    @Test
    void aLoopThatHangsIsToldAndOneThatTurnsAgainIsNot() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        loop.execute(() -> {
            hanging.countDown();
            await(goOn);
        });
        assertThat(hanging.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.sickness(clocks.monotonicNanos() + 40 * SECOND_NANOS, 30_000))
                .hasValueSatisfying(text -> assertThat(text).contains("stood still"));
        goOn.countDown();
        CountDownLatch turned = new CountDownLatch(1);
        loop.execute(turned::countDown);
        assertThat(turned.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.sickness(clocks.monotonicNanos(), 30_000)).isEmpty();
    }

    @Test
    void aTaskThatComesAgainAndAgainLeavesTheLoopItsTurns() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong runs = new AtomicLong();
        loop.execute(new Runnable() {
            @Override
            public void run() {
                runs.incrementAndGet();
                if (!stop.get()) {
                    loop.execute(this);
                }
            }
        });
        long startNanos = clocks.monotonicNanos();
        Awaitility.await().until(() -> clocks.monotonicNanos() - startNanos > SECOND_NANOS / 10 && runs.get() > 1_000);
        long nowNanos = clocks.monotonicNanos();
        long soFar = runs.get();
        Awaitility.await().until(() -> runs.get() > soFar + 1_000);
        try {
            assertThat(loop.sickness(nowNanos + 30 * SECOND_NANOS, 30_000)).isEmpty();
        } finally {
            stop.set(true);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
