package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final int FILE_BYTES = 64 << 10;

    @TempDir
    Path dir;

    private final FaultySys sys = new FaultySys(NativeSys.INSTANCE);
    private final AtomicInteger epochsBegun = new AtomicInteger();
    private final FrameFile[] files = new FrameFile[2];
    private final DeviceHealth health = new DeviceHealth("/ssd0", System::nanoTime);
    private Journal journal;

    @BeforeEach
    void open() throws IOException {
        for (int i = 0; i < 2; i++) {
            String path = dir.resolve("journal-" + i).toString();
            files[i] = FrameFileTest.open(sys, path, FILE_BYTES);
        }
        journal = new Journal(files, health, _ -> {}, epochsBegun::incrementAndGet);
        journal.start(1, 1);
    }

    @AfterEach
    void close() throws IOException {
        sys.heal();
        journal.close();
    }

    private static BlockRecord block(int number) {
        return new BlockRecord(number, number, 0, new byte[100], new int[0], new int[0]);
    }

    private List<Long> handles(long epoch) throws IOException {
        List<Long> handles = new ArrayList<>();
        files[(int) (epoch % 2)].readFrames(epoch, (payload, afterGap) -> {
            assertThat(afterGap).isFalse();
            while (payload.hasRemaining()) {
                int at = payload.position();
                boolean put = payload.get(at) == RecordType.PUT;
                handles.add((put ? 1 : -1) * payload.getLong(at + 1));
                payload.position(at + (put ? BlockRecord.bytesAt(payload, at) : RecordType.GONE_BYTES));
            }
            return true;
        });
        return handles;
    }

    /** The last frame of the older file may hold the end of a block, and no frame behind it tells that it is missing. */
    @Test
    void g88_aDamagedEndOfTheOlderFileBringsNothingBack() throws IOException {
        FrameFile[] checkpoints = new FrameFile[2];
        for (int i = 0; i < 2; i++) {
            String path = dir.resolve("checkpoint-" + i).toString();
            checkpoints[i] =
                    new FrameFile(sys, path, Sys.O_RDWR | Sys.O_CREAT, FrameFile.Kind.CHECKPOINT, FILE_BYTES, 4096);
            checkpoints[i].grow();
        }
        new Checkpointer(checkpoints, files, 1, new RecordedAgain())
                .write(1, new RecordLog(NativeSys.INSTANCE), new long[0]);
        journal.checkpointed(1);
        journal.flush(journal.put(block(1)));
        journal.flush(journal.put(block(2)));
        long end = files[1].writtenBytes();
        journal.flush(journal.gone(1));
        journal.wantEpoch();
        journal.flush(journal.put(block(3))); // killed while checkpoint 2 is written
        assertThat(journal.epoch()).isEqualTo(2);
        assertThat(recovered(checkpoints)).containsExactly(2L, 3L);
        try (RandomAccessFile raw =
                new RandomAccessFile(dir.resolve("journal-1").toFile(), "rw")) {
            raw.seek(end + FrameFile.FRAME_HEADER_BYTES);
            raw.write(99);
        }
        assertThat(recovered(checkpoints)).containsExactly(3L);
        for (FrameFile file : checkpoints) {
            file.close();
        }
    }

    private List<Long> recovered(FrameFile[] checkpoints) throws IOException {
        Recovery.Found found = new Recovery("ssd0", checkpoints, files, 0).run();
        RecordLog.Row row = found.log().row();
        return LongStream.of(found.positions())
                .mapToObj(position -> row.at(position).handle())
                .toList();
    }

    @Test
    void noHeaderIsWrittenOnceTheDeviceIsClosed() {
        long ticket = journal.put(block(1));
        journal.checkpointed(1);
        journal.wantEpoch();
        health.close(0);
        long writes = sys.count("pwrite");
        assertThatThrownBy(() -> journal.flush(ticket)).isInstanceOf(UnavailableException.class);
        assertThat(sys.count("pwrite")).isEqualTo(writes);
        assertThat(epochsBegun).hasValue(0);
    }

    @Test
    void theWriterOfEndsHasEndedWhenNoCallKeepsItAnyMore() {
        CountDownLatch released = new CountDownLatch(1);
        sys.inject(call -> call.is("pwrite"), new FaultySys.Hang(released), 1);
        long ticket = journal.put(block(1));
        EndsWriter ends = new EndsWriter("ssd0", journal);
        assertThatThrownBy(() -> ends.await(ticket, 20)).isInstanceOf(UnavailableException.class);
        ends.close();
        assertThat(ends.awaitEnd(20)).isFalse();
        ends.begin(ticket);
        released.countDown();
        assertThat(ends.awaitEnd(10_000)).isTrue();
        assertThat(journal.isFlushed(ticket)).isTrue();
    }

    @Test
    void anEndForWhichThereIsNoMemoryLeavesNoGapInTheTickets() throws IOException {
        AtomicBoolean noMemory = new AtomicBoolean(true);
        Supplier<Arena> memory = Arena::ofShared;
        Journal poor = new Journal(files, health, _ -> {}, () -> {}, () -> {
            if (noMemory.get()) {
                throw new OutOfMemoryError("test");
            }
            return memory.get();
        });
        poor.start(1, 1);
        assertThatThrownBy(() -> poor.gone(1)).isInstanceOf(OutOfMemoryError.class);
        assertThat(poor.isDirty()).isFalse();
        assertThatThrownBy(() -> poor.flush(poor.appended() + 1)).isInstanceOf(IOException.class);
        noMemory.set(false);
        poor.flush(poor.gone(1));
        assertThat(handles(1)).containsExactly(-1L);
        poor.freeBatches();
    }

    @Test
    void nothingIsOnDiskBeforeTheFlush() throws IOException {
        long ticket = journal.put(block(1));
        journal.gone(1);
        assertThat(handles(1)).isEmpty();
        assertThat(journal.isDirty()).isTrue();
        journal.flush(ticket);
        assertThat(handles(1)).containsExactly(1L, -1L);
        assertThat(journal.isDirty()).isFalse();
    }

    @Test
    void oneWriterWritesForAllWhoWait() throws Exception {
        CountDownLatch proceed = new CountDownLatch(1);
        long before = sys.count("pwrite");
        sys.inject(call -> call.is("pwrite"), new FaultySys.Hang(proceed), 1);
        try (ExecutorService pool = Executors.newFixedThreadPool(16)) {
            List<Future<Void>> writers = new ArrayList<>();
            for (int i = 1; i <= 16; i++) {
                long ticket = journal.put(block(i));
                Callable<Void> flush = () -> {
                    journal.flush(ticket);
                    return null;
                };
                writers.add(pool.submit(flush));
            }
            proceed.countDown();
            for (Future<Void> writer : writers) {
                writer.get();
            }
        }
        assertThat(handles(1)).hasSize(16);
        assertThat(sys.count("pwrite") - before).isLessThanOrEqualTo(16);
    }

    @Test
    void recordsOfAFailedWriteStayInLine() throws IOException {
        sys.inject(call -> call.is("pwrite"), new FaultySys.Fail(Errno.EIO), 1);
        long first = journal.put(block(1));
        assertThatThrownBy(() -> journal.flush(first)).isInstanceOf(SysException.class);
        journal.flush(journal.gone(1));
        assertThat(handles(1)).containsExactly(1L, -1L);
    }

    @Test
    void anEpochEndsWhenItsFileIsHalfFullAndItsCheckpointWhole() throws IOException {
        for (int i = 0; i < 300; i++) {
            journal.flush(journal.put(block(i)));
        }
        assertThat(journal.epoch()).as("no checkpoint yet").isEqualTo(1);
        journal.checkpointed(1);
        journal.flush(journal.put(block(300)));
        assertThat(journal.epoch()).isEqualTo(2);
        assertThat(epochsBegun).hasValue(1);
        assertThat(journal.wantsCheckpoint()).isTrue();
        assertThat(handles(2)).containsExactly(300L);
        assertThat(handles(1)).hasSize(300);
    }

    @Test
    void aFullFileWaitsForTheCheckpoint() throws Exception {
        int fits = (int) ((FILE_BYTES - FrameFile.FRAMES_AT) / FrameFile.frameBytes(block(0).bytes()));
        for (int i = 0; i < fits; i++) {
            journal.flush(journal.put(block(i)));
        }
        try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
            long ticket = journal.put(block(fits));
            Callable<Void> flush = () -> {
                journal.flush(ticket);
                return null;
            };
            Future<Void> waiting = pool.submit(flush);
            journal.checkpointed(1);
            waiting.get();
        }
        assertThat(handles(2)).containsExactly((long) fits);
    }

    /** Fills both files with one epoch that has no checkpoint yet; the answer is the thread of a flush that waits for it. */
    private Thread fullAndWaiting() throws IOException, InterruptedException {
        while (files[0].hasRoomFor(block(1).bytes())) { // epoch 2 is in file 0
            journal.flush(journal.put(block(1)));
            if (journal.epoch() == 1) {
                journal.checkpointed(1);
            }
        }
        assertThat(journal.wantsCheckpoint()).isTrue();
        long ticket = journal.put(block(2));
        Thread writer = Thread.ofPlatform().start(() -> flushQuietly(ticket));
        while (writer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return writer;
    }

    private void flushQuietly(long ticket) {
        try {
            journal.flush(ticket);
        } catch (IOException expected) {
            // the journal says why to the next who asks
        }
    }

    @Test
    void whoWaitsForTheEndsOfBlocksDoesNotWaitForNewOnes() throws IOException {
        long gone = journal.gone(1);
        journal.put(block(2));
        assertThat(journal.lastGone()).isEqualTo(gone).isLessThan(journal.appended());
        sys.inject(call -> call.is("pwrite"), new FaultySys.Fail(Errno.EIO));
        assertThatThrownBy(() -> journal.flush(gone)).isInstanceOf(IOException.class);
        sys.heal();
        journal.flush(gone);
        long writes = sys.count("pwrite");
        journal.put(block(3));
        journal.flush(journal.lastGone());
        assertThat(sys.count("pwrite")).isEqualTo(writes);
    }

    @Test
    void whoWritesCheckpointsNeverWaitsForOne() throws Exception {
        Thread writer = fullAndWaiting();
        assertThat(journal.flushUnlessFull(journal.appended())).isFalse();
        journal.checkpointed(journal.epoch());
        writer.join();
        assertThat(journal.isDirty()).isFalse();
        assertThat(journal.epoch()).isEqualTo(3);
    }

    @Test
    void nobodyWaitsForACheckpointThatWillNotCome() throws Exception {
        Thread writer = fullAndWaiting();
        journal.endCheckpoints();
        writer.join();
        assertThat(journal.isDirty()).isTrue();
        assertThatThrownBy(() -> journal.flush(journal.appended())).hasMessageContaining("no checkpoint will come");
    }

    @Test
    void writingAndReadingTakeNoDirectMemoryOfTheProcess() throws IOException {
        long before = directBytes();
        for (int i = 0; i < 200; i++) {
            long end = journal.gone(i);
            journal.flush(end);
            files[1].readFrames(1, (payload, afterGap) -> true);
        }
        assertThat(directBytes() - before).isLessThan(1 << 20);
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(buffers -> buffers.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getTotalCapacity)
                .sum();
    }

    @Test
    void recordsAfterTheCloseAreDropped() throws IOException {
        journal.flush(journal.put(block(1)));
        journal.freeBatches();
        assertThatThrownBy(() -> journal.flush(journal.gone(1))).isInstanceOf(UnavailableException.class);
        assertThat(handles(1)).containsExactly(1L);
    }
}
