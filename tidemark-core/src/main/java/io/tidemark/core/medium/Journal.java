package io.tidemark.core.medium;

import io.tidemark.core.medium.RecordBatches.Batch;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The order in which blocks came and went, on disk. Records are appended in memory and written in batches: who needs a
 * record to be on disk {@linkplain #flush(long) flushes} its ticket, and one caller writes for all who wait.
 *
 * <p>Two files take turns. Epoch {@code e} writes file {@code e % 2}; it follows checkpoint {@code e}, which holds what
 * checkpoint and journal {@code e - 1} came to. The next epoch begins when the file is half full and its checkpoint is
 * done, so that there is always a whole checkpoint with every journal since:
 *
 * <pre>  checkpoint e-1   journal e-1   journal e        while checkpoint e is written
 *   checkpoint e     journal e                     after that; journal e+1 may begin</pre>
 *
 * <p><b>Concurrency.</b> The lock guards the fields; below it there is the health's monitor only. It is not held over a write: the
 * flag {@code writing} keeps writers apart. Records reach the disk in the order of their tickets, also when a write
 * failed and is tried again.
 */
final class Journal implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Journal.class.getName());

    /** How long a flush waits for others, and for a checkpoint when the file is full. */
    static final long FLUSH_MILLIS_MAX = 5000;

    private final FrameFile[] files;
    private final DeviceHealth health;
    private final EpochMark mark;
    private final Runnable epochBegun;
    private final RecordBatches batches;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean writing;
    private long appended;
    private long lastGone;
    /** Written under the lock. */
    private volatile long flushed;

    private volatile long epoch;
    /** Last ticket that was written in an epoch before the current one. */
    private volatile long lastBefore;
    /** Bytes of the current file that are written. */
    private volatile long filledBytes;

    private volatile boolean epochWanted;
    private long checkpointed;
    /** Why the last try to write the checkpoint of this epoch failed; empty: it did not, or there was none. */
    private String checkpointFailure = "";

    private boolean checkpointsEnded;
    private boolean ended;
    private int generationFloor;

    /**
     * Says in another file that an epoch has begun, before anything is recorded in it: that its journal is missing, or its
     * header damaged, shows then.
     */
    interface EpochMark {
        void begin(long epoch) throws IOException;
    }

    /**
     * A journal whose files are open.
     *
     * @param mark writes the header of the epoch's checkpoint; called while no checkpoint is being written
     * @param epochBegun hears that a new epoch has begun and wants its checkpoint; called without the lock
     */
    Journal(FrameFile[] files, DeviceHealth health, EpochMark mark, Runnable epochBegun) {
        this(files, health, mark, epochBegun, Arena::ofShared);
    }

    /** As above, with another source of memory for records that wait. */
    Journal(FrameFile[] files, DeviceHealth health, EpochMark mark, Runnable epochBegun, Supplier<Arena> memory) {
        this.files = files;
        this.health = health;
        this.mark = mark;
        this.epochBegun = epochBegun;
        batches = new RecordBatches(files[0].payloadBytesMax(), memory);
    }

    /** Begins an epoch at the start of the medium; its checkpoint follows. */
    void start(long firstEpoch, int floor) throws IOException {
        generationFloor = floor;
        fileOf(firstEpoch).begin(firstEpoch, floor);
        epoch = firstEpoch;
    }

    /**
     * Goes on behind a whole checkpoint and its journal: the first write begins the next epoch, as if this one were half
     * full, and has its checkpoint written. Until then no file changes.
     *
     * @param frames that were found in that journal
     */
    void resume(long lastEpoch, int floor, int frames) {
        fileOf(lastEpoch).holds(frames);
        generationFloor = floor;
        epoch = lastEpoch;
        epochWanted = true;
        checkpointed(lastEpoch);
    }

    long epoch() {
        return epoch;
    }

    /** Lets the next write begin an epoch, as soon as the checkpoint of the current one is whole. */
    void wantEpoch() {
        epochWanted = true;
    }

    /** The last ticket that the checkpoint of the current epoch takes in. */
    long lastBefore() {
        return lastBefore;
    }

    /** Bytes of the current file that are written. */
    long filledBytes() {
        return filledBytes;
    }

    /** Bytes that one file takes. */
    long capacityBytes() {
        return files[0].payloadBytesMax();
    }

    /** The checkpoint of this epoch is whole. */
    void checkpointed(long ofEpoch) {
        lock.lock();
        try {
            checkpointed = ofEpoch;
            checkpointFailure = "";
            health.unstuck();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The checkpoint of the current epoch could not be written, and will be tried again: who needs it now does not wait. */
    void checkpointFailed(String why) {
        lock.lock();
        try {
            checkpointFailure = why;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nobody writes checkpoints any more: who waits for one waits in vain. */
    void endCheckpoints() {
        lock.lock();
        try {
            checkpointsEnded = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the checkpoint of the current epoch is still to be written. */
    boolean wantsCheckpoint() {
        lock.lock();
        try {
            return checkpointed < epoch;
        } finally {
            lock.unlock();
        }
    }

    /** Appends a block in memory; the answer is its ticket. Where memory is short it throws, and nothing is appended. */
    long put(BlockRecord block) {
        lock.lock();
        try {
            if (!ended) {
                block.encode(batches.roomFor(block.bytes(), appended + 1));
            }
            return ++appended;
        } finally {
            lock.unlock();
        }
    }

    /** Appends the end of a block in memory, as {@link #put}; the answer is its ticket. */
    long gone(long handle) {
        lock.lock();
        try {
            if (!ended) {
                ByteBuffer frame = batches.roomFor(RecordType.GONE_BYTES, appended + 1);
                frame.put(RecordType.GONE).putLong(handle);
            }
            lastGone = ++appended;
            return lastGone;
        } finally {
            lock.unlock();
        }
    }

    /** Ticket of the last record that was appended. */
    long appended() {
        lock.lock();
        try {
            return appended;
        } finally {
            lock.unlock();
        }
    }

    /** Ticket of the last end of a block that was appended; 0: none yet. */
    long lastGone() {
        lock.lock();
        try {
            return lastGone;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the record with this ticket, and all before it, are on disk. */
    boolean isFlushed(long ticket) {
        return flushed >= ticket;
    }

    /** Ticket of the last record that is on disk, as all before it are. */
    long flushed() {
        return flushed;
    }

    /** How many records wait to be written. */
    long backlog() {
        lock.lock();
        try {
            return appended - flushed;
        } finally {
            lock.unlock();
        }
    }

    /** Whether records wait to be written. */
    boolean isDirty() {
        lock.lock();
        try {
            return flushed < appended;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns once the record with this ticket, and all before it, are on disk.
     *
     * @throws IOException when they could not be written; they stay in line for the next flush. Also for a ticket that no
     *     record has yet
     */
    void flush(long ticket) throws IOException {
        flush(ticket, FLUSH_MILLIS_MAX);
    }

    /** As {@link #flush(long)}, waiting so long at most for others. */
    void flush(long ticket, long withinMillis) throws IOException {
        flush(ticket, withinMillis, true);
    }

    /** As {@link #flush(long)}, for the one who writes checkpoints and so cannot wait for one. False: a checkpoint comes first. */
    boolean flushUnlessFull(long ticket) throws IOException {
        return flush(ticket, FLUSH_MILLIS_MAX, false);
    }

    private boolean flush(long ticket, long withinMillis, boolean waitsForCheckpoint) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(withinMillis);
        while (true) {
            Batch batch;
            lock.lock();
            try {
                awaitUntil(
                        () -> !writing || flushed >= ticket || (!waitsForCheckpoint && checkpointed < epoch), deadline);
                if (flushed >= ticket) {
                    return true;
                }
                if (writing) {
                    return false;
                }
                if (ended) {
                    throw new UnavailableException("the journal is closed");
                }
                if (batches.isEmpty()) {
                    throw new IOException("record " + ticket + " was not appended, the last is " + appended);
                }
                writing = true;
                batch = batches.closeFirst();
            } finally {
                lock.unlock();
            }
            boolean done = false;
            try {
                done = write(batch.frame(), waitsForCheckpoint, deadline);
            } finally {
                settle(batch, done);
            }
            if (!done) {
                return false;
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (FrameFile file : files) {
            file.close();
        }
        freeBatches();
    }

    /** Nobody writes any more; records that come later are dropped, as at a kill. */
    void freeBatches() {
        lock.lock();
        try {
            ended = true;
            batches.free();
        } finally {
            lock.unlock();
        }
    }

    /** Ends a write: the batch is on disk, or stays first in line. */
    private void settle(Batch batch, boolean done) {
        lock.lock();
        try {
            writing = false;
            if (done) {
                flushed = batch.lastTicket();
                batches.written(batch);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Only the one who has set {@code writing} is here. False: the file is full, and its checkpoint is not awaited. */
    private boolean write(ByteBuffer frame, boolean waitsForCheckpoint, long deadline) throws IOException {
        int payload = frame.limit() - FrameFile.FRAME_HEADER_BYTES;
        if (!fileOf(epoch).hasRoomFor(payload)) {
            if (!waitsForCheckpoint && wantsCheckpoint()) {
                return false;
            }
            awaitCheckpoint(deadline);
        }
        // From here on the files stay open: a close waits for whoever holds a token.
        long token = health.begin();
        try {
            if ((epochWanted || fileOf(epoch).isHalfFull()) && !wantsCheckpoint()) {
                beginEpoch();
            }
            fileOf(epoch).append(frame);
            filledBytes = fileOf(epoch).writtenBytes();
            health.succeeded(DeviceHealth.Way.WRITE);
            return true;
        } catch (SysException e) {
            health.failed(DeviceHealth.Way.WRITE, e);
            throw e;
        } finally {
            health.end(token);
        }
    }

    private void beginEpoch() throws IOException {
        long next = epoch + 1;
        fileOf(next).begin(next, generationFloor, fileOf(epoch).frames());
        mark(next);
        lastBefore = flushed;
        epoch = next;
        epochWanted = false;
        epochBegun.run();
    }

    /** After the journal's own header: a mark without a journal would be taken for one that is lost. */
    private void mark(long next) {
        try {
            mark.begin(next);
        } catch (IOException e) {
            // The checkpoint itself will fail at the same file, and that is told; records need this journal only.
            LOG.log(System.Logger.Level.DEBUG, "the checkpoint of epoch " + next + " could not be begun", e);
        }
    }

    /** Where none comes, the device is out of use for writing until one does: nobody else waits in vain. */
    private void awaitCheckpoint(long deadline) throws IOException {
        lock.lock();
        try {
            changed.signalAll(); // the one who writes checkpoints may be waiting for this write
            if (!isInTime(() -> checkpointed >= epoch || checkpointsEnded || !checkpointFailure.isEmpty(), deadline)) {
                health.stuck("the journal is full, and its checkpoint is not done yet");
            }
            if (checkpointed < epoch && !checkpointFailure.isEmpty()) {
                health.stuck("the journal is full, and its checkpoint fails: " + checkpointFailure);
            }
            if (checkpointed < epoch) {
                throw new UnavailableException("the journal is full and no checkpoint will come");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits under the lock. */
    private void awaitUntil(BooleanSupplier condition, long deadline) throws IOException {
        if (!isInTime(condition, deadline)) {
            throw new IOException("the journal took no records in time");
        }
    }

    /** Waits under the lock; false: in vain. */
    private boolean isInTime(BooleanSupplier condition, long deadline) throws IOException {
        try {
            while (!condition.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0 || (changed.awaitNanos(left) <= 0 && !condition.getAsBoolean())) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the journal", e);
        }
    }

    private FrameFile fileOf(long ofEpoch) {
        return files[(int) (ofEpoch % 2)];
    }
}
