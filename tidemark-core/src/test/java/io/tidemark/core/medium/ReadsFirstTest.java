package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ReadsFirstTest {
    private final AtomicLong now = new AtomicLong(-5);
    private final ReadsFirst turns = new ReadsFirst(now::get);

    private CompletableFuture<Void> oneMore() {
        return CompletableFuture.runAsync(turns::writeBegins);
    }

    private void writesThatFillTheTurns() {
        for (int i = 0; i < ReadsFirst.WRITES_AT_ONCE; i++) {
            turns.writeBegins();
        }
    }

    @Test
    void writesOfADeviceThatNobodyReadsGoAsTheyCome() throws Exception {
        writesThatFillTheTurns();
        oneMore().get(10, TimeUnit.SECONDS);
        assertThat(turns.callBytesMax()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whileADeviceIsReadWritesAreSmallAndFew() throws Exception {
        turns.readBegins();
        assertThat(turns.callBytesMax()).isEqualTo(ReadsFirst.PIECE_BYTES);
        writesThatFillTheTurns();
        CompletableFuture<Void> waits = oneMore();
        Awaitility.await().during(Duration.ofMillis(30)).until(() -> !waits.isDone());
        turns.writeEnds();
        waits.get(10, TimeUnit.SECONDS);
    }

    @Test
    void theGapBetweenTwoReadsIsNoTimeWithoutReads() throws Exception {
        turns.readBegins();
        turns.readEnds();
        now.addAndGet(ReadsFirst.RECENT_NANOS - 1);
        assertThat(turns.callBytesMax()).isEqualTo(ReadsFirst.PIECE_BYTES);
        writesThatFillTheTurns();
        CompletableFuture<Void> waits = oneMore();
        Awaitility.await().during(Duration.ofMillis(30)).until(() -> !waits.isDone());
        now.incrementAndGet();
        waits.get(10, TimeUnit.SECONDS);
        assertThat(turns.callBytesMax()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void writesThatHangKeepNoOtherForLong() throws Exception {
        turns.readBegins();
        writesThatFillTheTurns();
        CompletableFuture<Void> waits = oneMore();
        Awaitility.await().during(Duration.ofMillis(30)).until(() -> !waits.isDone());
        now.addAndGet(ReadsFirst.TURN_NANOS_MAX);
        waits.get(10, TimeUnit.SECONDS);
    }

    @Test
    void anInterruptedWriteGoesWithoutATurnAndStaysInterrupted() throws Exception {
        turns.readBegins();
        writesThatFillTheTurns();
        CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(() -> {
            Thread.currentThread().interrupt();
            turns.writeBegins();
            return Thread.interrupted();
        });
        assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
        turns.writeEnds();
        CompletableFuture<Void> waits = oneMore();
        Awaitility.await().during(Duration.ofMillis(30)).until(() -> !waits.isDone());
        turns.writeEnds();
        waits.get(10, TimeUnit.SECONDS);
    }
}
