package io.tidemark.core.medium;

import static io.tidemark.core.medium.ReadsFirst.PIECE_BYTES_MAX;
import static io.tidemark.core.medium.ReadsFirst.PIECE_BYTES_MIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReadsFirstTest {
    private static final long READ_BYTES = 128 << 10;

    private final AtomicLong now = new AtomicLong(-5);
    private final AtomicBoolean hurried = new AtomicBoolean();
    private final ReadsFirst turns = new ReadsFirst(now::get);

    /** A writer that asks for a turn on a thread of its own. */
    private final class Writer {
        private final CompletableFuture<Boolean> turn = new CompletableFuture<>();
        private final Thread thread;

        Writer(boolean interrupted) {
            thread = Thread.ofPlatform().daemon().start(() -> {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                turns.turnBegins();
                turn.complete(Thread.interrupted());
            });
        }

        /** Returns once it has seen that it has to wait. */
        Writer waits() {
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
            assertThat(turn).isNotDone();
            return this;
        }

        boolean goes() throws Exception {
            return turn.get(10, TimeUnit.SECONDS);
        }
    }

    private Writer writer() {
        return new Writer(false);
    }

    @Test
    void writersOfADeviceThatNobodyReadsGoAsTheyCome() throws Exception {
        for (int i = 0; i < 4; i++) {
            writer().goes();
        }
        assertThat(turns.callBytesMax()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whileADeviceIsReadOneWriterHasItsTurn() throws Exception {
        turns.readBegins(READ_BYTES);
        writer().goes();
        Writer next = writer().waits();
        turns.turnEnds();
        next.goes();
    }

    @Test
    void turnsComeInTheOrderInWhichTheyWereAskedFor() throws Exception {
        turns.readBegins(READ_BYTES);
        writer().goes();
        List<Writer> line = Stream.generate(() -> writer().waits()).limit(4).toList();
        for (int first = 0; first < line.size(); first++) {
            turns.turnEnds();
            line.get(first).goes();
            line.stream().skip(first + 1L).forEach(Writer::waits);
        }
    }

    @Test
    void callsHaveAsManyBytesAsAreBeingRead() {
        turns.readBegins(Slab.ALIGN);
        assertThat(turns.callBytesMax()).isEqualTo(PIECE_BYTES_MIN);
        turns.readBegins(PIECE_BYTES_MIN);
        assertThat(turns.callBytesMax()).isEqualTo(PIECE_BYTES_MIN + Slab.ALIGN);
        turns.readBegins(1);
        assertThat(turns.callBytesMax()).as("whole pages").isEqualTo(PIECE_BYTES_MIN + Slab.ALIGN);
        turns.readBegins(PIECE_BYTES_MAX);
        assertThat(turns.callBytesMax()).isEqualTo(PIECE_BYTES_MAX);
    }

    @Test
    void besideManyReadsTwoWritersHaveTheirTurns() throws Exception {
        turns.readBegins(PIECE_BYTES_MAX + 1);
        writer().goes();
        writer().goes();
        writer().waits();
    }

    @Test
    void whileSpaceIsShortTwoWritersHaveTheirTurnsWhateverIsRead() throws Exception {
        turns.hurryWhile(hurried::get);
        turns.readBegins(Slab.ALIGN);
        writer().goes();
        Writer second = writer().waits();
        hurried.set(true); // seen at the next look, within ten milliseconds
        second.goes();
        assertThat(turns.callBytesMax()).isEqualTo(PIECE_BYTES_MAX);
        writer().waits();
    }

    @Test
    void theGapBetweenTwoReadsIsNoTimeWithoutReads() throws Exception {
        turns.readBegins(READ_BYTES);
        turns.readEnds(READ_BYTES);
        now.addAndGet(ReadsFirst.RECENT_NANOS - 1);
        assertThat(turns.callBytesMax()).isEqualTo(PIECE_BYTES_MIN);
        writer().goes();
        List<Writer> line = List.of(writer().waits(), writer().waits());
        now.incrementAndGet();
        for (Writer next : line) {
            next.goes();
        }
        assertThat(turns.callBytesMax()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void writesThatHangKeepNoOtherForLong() throws Exception {
        turns.readBegins(READ_BYTES);
        writer().goes();
        Writer next = writer().waits();
        now.addAndGet(ReadsFirst.TURN_NANOS_MAX);
        next.goes();
    }

    @Test
    void anInterruptedWriterGoesWithoutATurnAndStaysInterrupted() throws Exception {
        turns.readBegins(READ_BYTES);
        writer().goes();
        assertThat(new Writer(true).goes()).isTrue();
        Writer next = writer().waits();
        turns.turnEnds();
        next.waits();
        turns.turnEnds();
        next.goes();
    }
}
