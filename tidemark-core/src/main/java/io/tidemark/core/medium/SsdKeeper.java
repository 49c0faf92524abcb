package io.tidemark.core.medium;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The thread of an SSD medium: writes checkpoints, and the ends of evicted blocks that nobody else has written, at most
 * {@value #FLUSH_AFTER_MILLIS} ms after they came; and tries a device that is out of use.
 */
final class SsdKeeper implements AutoCloseable {
    static final long FLUSH_AFTER_MILLIS = 50;

    private static final System.Logger LOG = System.getLogger(SsdKeeper.class.getName());
    private static final long RETRY_MILLIS = 1000;
    private static final long CLOSE_MILLIS = 1000;
    private static final long LOOK_MILLIS = 100;
    private static final int FAILURES_A_LINE = 60;

    private final String name;
    private final CheckpointRuns checkpoints;
    private final Chore probe;
    private final Waits waits;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    /** Of its own, so that who brings work does not wake a thread that waits for more of it. */
    private final Condition closing = lock.newCondition();

    private @Nullable Journal journal;
    /** Failures in a row; used by the thread alone. */
    private int failures;
    /** When the last flush within a checkpoint was; of the thread alone. */
    private long flushedNanos;
    /** No checkpoint is tried before; of the thread alone. */
    private long checkpointAfterNanos;

    /** Written under the lock. Who finds it up has nothing to do: whatever was brought before is looked at. */
    private volatile boolean work;

    private boolean closed;

    /** Work that may fail. */
    interface Chore {
        void run() throws IOException;
    }

    /**
     * A keeper that is not started yet.
     *
     * @param probe called at least every {@value #RETRY_MILLIS} ms, to try a device that is out of use
     */
    SsdKeeper(String name, CheckpointRuns checkpoints, Chore probe, Waits waits) {
        this.name = name;
        this.checkpoints = checkpoints;
        this.probe = probe;
        this.waits = waits;
        flushedNanos = waits.nanoTime();
        checkpointAfterNanos = waits.nanoTime();
        thread = Thread.ofPlatform().daemon().name("tidemark-keep-" + name).unstarted(this::run);
    }

    void use(Journal newJournal) {
        journal = newJournal;
    }

    void start() {
        thread.start();
    }

    /** Waits a moment, after the {@link #close}, for the thread to end; false: a call still keeps it. */
    boolean awaitEnd() {
        try {
            return !thread.isAlive() || thread.join(Duration.ofMillis(LOOK_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** There may be something to do. Costs one read while the thread has not begun with what came before. */
    void wake() {
        if (work) {
            return;
        }
        lock.lock();
        try {
            work = true;
            woken.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            woken.signal();
            closing.signal();
        } finally {
            lock.unlock();
        }
        try {
            if (thread.isAlive() && !thread.join(Duration.ofMillis(CLOSE_MILLIS))) {
                LOG.log(System.Logger.Level.WARNING, "{0}: the device still keeps its thread busy", name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends of blocks come first, a checkpoint lets them pass, and a device that cannot be read holds up neither. */
    private void run() {
        while (awaitWork()) {
            boolean done = attempt(this::flush);
            if (done && waits.nanoTime() - checkpointAfterNanos >= 0) {
                done = attempt(this::checkpoint);
                if (!done) {
                    checkpointAfterNanos = waits.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
                }
            } else if (!done) {
                pause(RETRY_MILLIS);
                wake();
            }
            if (attempt(probe) && done) {
                failures = 0;
            }
        }
    }

    private boolean attempt(Chore chore) {
        try {
            chore.run();
            return true;
        } catch (IOException | RuntimeException | Error e) { // of memory, say: without this thread nothing is kept
            tell(e);
            return false;
        }
    }

    private void flush() throws IOException {
        Journal current = Objects.requireNonNull(journal);
        if (current.isDirty() && !current.flushUnlessFull(current.appended())) {
            wake();
        }
    }

    private void checkpoint() throws IOException {
        Journal current = Objects.requireNonNull(journal);
        if (current.wantsCheckpoint()) {
            checkpoints.write(current, this::flushMeanwhile, this::pause);
            wake();
        }
    }

    /** Between two frames of a checkpoint: ends of blocks pass. */
    private void flushMeanwhile() {
        long now = waits.nanoTime();
        if (now - flushedNanos >= TimeUnit.MILLISECONDS.toNanos(FLUSH_AFTER_MILLIS)) {
            flushedNanos = now;
            attempt(this::flush);
        }
    }

    /** Logs the first failure of a row, then about one a minute. */
    private void tell(Throwable e) {
        if (failures++ % FAILURES_A_LINE == 0) {
            if (e instanceof SysException failed) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0}: {1}; it is tried again",
                        name,
                        failed.getMessage() + Errno.meaning(failed.errno()));
            } else {
                LOG.log(System.Logger.Level.WARNING, name + ": will be tried again", e);
            }
        }
    }

    /** Waits for work or for the time to look after the device, and a little longer so that it comes in batches. False: the medium is closed. */
    private boolean awaitWork() {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
            while (!work && !closed && left > 0) {
                left = waits.await(woken, left);
            }
            boolean ends = closed || pause(FLUSH_AFTER_MILLIS);
            work = false; // not before: what came meanwhile is looked at in this turn
            return !ends;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Waits this long, or until the close; true: closed. */
    private boolean pause(long millis) {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (!closed && left > 0) {
                left = waits.await(closing, left);
            }
            return closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } finally {
            lock.unlock();
        }
    }
}
