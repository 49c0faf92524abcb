package io.tidemark.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class BriefPollingTest {
    private static final long SHORT_STEP_NANOS = 1_000;
    private static final long LONG_STEP_NANOS = 1_000_000;

    private final AtomicInteger dispatched = new AtomicInteger();
    private Selector selector;
    private Pipe pipe;
    private long nowNanos;
    private long stepNanos = SHORT_STEP_NANOS;
    private BriefPolling polling;

    @BeforeEach
    void open() throws IOException {
        selector = Selector.open();
        pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        pipe.source().register(selector, SelectionKey.OP_READ);
        polling = new BriefPolling(selector, () -> nowNanos += stepNanos, this::take);
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        pipe.sink().close();
        pipe.source().close();
    }

    private void take(SelectionKey key) {
        try {
            assertThat(pipe.source().read(ByteBuffer.allocate(16))).isPositive();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        dispatched.incrementAndGet();
    }

    private void eventComes() throws IOException {
        pipe.sink().write(ByteBuffer.wrap(new byte[] {1}));
        polling.select(1_000, () -> false);
    }

    private void eventsComeFast() throws IOException {
        for (int i = 0; i < 8; i++) {
            assertThat(polling.polls()).isFalse();
            eventComes();
        }
        assertThat(polling.polls()).isTrue();
    }

    @Test
    void sleepsAtOnceUntilEventsHaveComeFast() throws IOException {
        eventsComeFast();
        assertThat(dispatched).hasValue(8);
        eventComes();
        assertThat(dispatched).hasValue(9);
    }

    @Test
    void neverPollsForClientsThatThinkBetweenCommands() throws IOException {
        stepNanos = LONG_STEP_NANOS;
        for (int i = 0; i < 100; i++) {
            eventComes();
            assertThat(polling.polls()).isFalse();
        }
    }

    @Test
    void stopsPollingWhenItIsInVain() throws IOException {
        eventsComeFast();
        polling.select(1, () -> false);
        assertThat(polling.polls()).isFalse();
        assertThat(dispatched).hasValue(8);
    }

    @Test
    void looksNoLongerThanItsBoundBeforeItSleeps() throws IOException {
        eventsComeFast();
        long before = nowNanos;
        polling.select(1, () -> false);
        assertThat(nowNanos - before).isBetween(20_000L, 25_000L);
    }

    @Test
    void returnsWhenThereIsSomethingElseToDoAlthoughTheWakeUpWasTaken() throws IOException {
        eventsComeFast();
        selector.wakeup();
        long before = nowNanos;
        polling.select(3_600_000, () -> true);
        assertThat(nowNanos - before).isLessThan(20_000);
    }
}
