package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SsdKeeperTest {
    private static final long MILLI = 1_000_000;
    private static final long PROMISED_MILLIS = 100;
    private static final int FILE_BYTES = 48 << 20;

    @TempDir
    Path dir;

    private final StandingTime time = new StandingTime();
    private final FrameFile[] journals = new FrameFile[2];
    private final FrameFile[] checkpoints = new FrameFile[2];
    private final RecordedAgain again = new RecordedAgain();

    /** Buffers outside of the heap end with an error that the virtual machine does not see. */
    @Test
    void anErrorEndsNoThreadOnWhichADeviceDepends() throws IOException {
        FrameFile[] files = new FrameFile[2];
        for (int i = 0; i < 2; i++) {
            files[i] = FrameFileTest.open(
                    NativeSys.INSTANCE, dir.resolve("journal-" + i).toString(), 64 << 10);
        }
        AtomicInteger turns = new AtomicInteger();
        Checkpointer checkpointer = new Checkpointer(files, files, 1, again);
        try (SsdKeeper keeper = new SsdKeeper(
                        "ssd0",
                        new CheckpointRuns(checkpointer, again, copy -> true, new IoErrors(), Waits.SYSTEM),
                        () -> {
                            turns.incrementAndGet();
                            throw new OutOfMemoryError("direct buffer memory");
                        },
                        Waits.SYSTEM);
                Journal journal =
                        new Journal(files, new DeviceHealth("/ssd0", System::nanoTime), _ -> {}, keeper::wake)) {
            journal.start(1, 1);
            journal.checkpointed(1);
            keeper.use(journal);
            keeper.start();
            await().until(() -> {
                keeper.wake();
                return turns.get() > 2;
            });
        }
    }

    /** Stands still until it is moved. Who waits looks at it again and again. */
    private static final class StandingTime implements Waits {
        /** Close to the wrap-around. */
        private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - MILLI);

        private final AtomicLong looks = new AtomicLong();

        @Override
        public long nanoTime() {
            return now.get();
        }

        @Override
        @SuppressWarnings("WaitNotInLoop") // the caller has the loop
        public long await(Condition condition, long nanos) throws InterruptedException {
            long before = now.get();
            looks.incrementAndGet();
            condition.awaitNanos(MILLI);
            return nanos - (now.get() - before);
        }

        /** Moves on by a millisecond, and waits until whoever waits has seen that and has done what it brings. */
        void tick() {
            now.addAndGet(MILLI);
            settle();
        }

        void settle() {
            long seen = looks.get() + 3;
            Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> looks.get() >= seen);
        }
    }

    /** Opens both kinds of files and has a keeper keep them by the standing time. */
    private SsdKeeper keeper() throws IOException {
        for (int i = 0; i < 2; i++) {
            journals[i] = FrameFileTest.open(
                    NativeSys.INSTANCE, dir.resolve("journal-" + i).toString(), FILE_BYTES);
            checkpoints[i] = new FrameFile(
                    NativeSys.INSTANCE,
                    dir.resolve("checkpoint-" + i).toString(),
                    Sys.O_RDWR | Sys.O_CREAT,
                    FrameFile.Kind.CHECKPOINT,
                    FILE_BYTES,
                    4096);
            checkpoints[i].grow();
        }
        Checkpointer checkpointer = new Checkpointer(checkpoints, journals, 1, again);
        checkpointer.write(1, new RecordLog(NativeSys.INSTANCE), new long[0]);
        CheckpointRuns runs = new CheckpointRuns(checkpointer, again, copy -> true, new IoErrors(), time);
        return new SsdKeeper("ssd0", runs, () -> {}, time);
    }

    /** Brings so many ends at moments that are drawn, and more until the checkpoint is whole; answers the longest wait. */
    private long longestWait(SsdKeeper keeper, Journal journal, int ends) {
        Random random = new Random(100);
        ArrayDeque<long[]> waiting = new ArrayDeque<>();
        long longest = 0;
        int brought = 0;
        for (long tick = 0; brought < ends || !waiting.isEmpty() || journal.wantsCheckpoint(); tick++) {
            if (random.nextInt(20) == 0 && (brought < ends || journal.wantsCheckpoint())) {
                waiting.add(new long[] {journal.gone(brought++), tick});
                keeper.wake();
                time.settle();
            }
            time.tick();
            while (!waiting.isEmpty() && journal.isFlushed(waiting.element()[0])) {
                longest = Math.max(longest, tick + 1 - waiting.remove()[1]);
            }
            assertThat(waiting.isEmpty() ? tick : waiting.element()[1])
                    .as("an end waits for more than is promised")
                    .isGreaterThan(tick - PROMISED_MILLIS);
        }
        return longest;
    }

    @Test
    void anEndThatNobodyWaitsForIsWrittenWithinWhatIsPromised() throws IOException {
        try (SsdKeeper keeper = keeper();
                Journal journal =
                        new Journal(journals, new DeviceHealth("/ssd0", System::nanoTime), _ -> {}, keeper::wake)) {
            journal.start(1, 1);
            journal.checkpointed(1);
            keeper.use(journal);
            keeper.start();
            assertThat(longestWait(keeper, journal, 60)).isBetween(SsdKeeper.FLUSH_AFTER_MILLIS, PROMISED_MILLIS);
        }
    }

    @Test
    void alsoWhileACheckpointIsWritten() throws IOException {
        try (SsdKeeper keeper = keeper();
                Journal journal =
                        new Journal(journals, new DeviceHealth("/ssd0", System::nanoTime), _ -> {}, keeper::wake)) {
            journal.start(1, 1);
            journal.checkpointed(1);
            keeper.use(journal);
            byte[] key = new byte[60_000];
            for (int i = 0; i < 400; i++) {
                journal.put(new BlockRecord(i + 1_000, 1, 0, key, new int[0], new int[0]));
                journal.flush(journal.appended());
            }
            journal.wantEpoch();
            journal.flush(journal.gone(Long.MAX_VALUE));
            assertThat(journal.wantsCheckpoint()).isTrue();
            keeper.start();
            assertThat(longestWait(keeper, journal, 1)).isBetween(1L, PROMISED_MILLIS);
            assertThat(journal.wantsCheckpoint()).isFalse();
        }
    }
}
