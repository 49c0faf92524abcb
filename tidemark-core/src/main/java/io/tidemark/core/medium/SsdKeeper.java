package io.tidemark.core.medium;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
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
    private static final int FAILURES_A_LINE = 60;

    private final String name;
    private final Checkpointer checkpointer;
    private final LongPredicate alive;
    private final Chore probe;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private @Nullable Journal journal;
    /** Failures in a row; used by the thread alone. */
    private int failures;

    private boolean work;
    private boolean closed;

    /** Work that may fail. */
    interface Chore {
        void run() throws IOException;
    }

    /**
     * A keeper that is not started yet.
     *
     * @param alive tells which handles still name a block
     * @param probe called at least every {@value #RETRY_MILLIS} ms, to try a device that is out of use
     */
    SsdKeeper(String name, Checkpointer checkpointer, LongPredicate alive, Chore probe) {
        this.name = name;
        this.checkpointer = checkpointer;
        this.alive = alive;
        this.probe = probe;
        thread = Thread.ofPlatform().daemon().name("tidemark-keep-" + name).unstarted(this::run);
    }

    void use(Journal newJournal) {
        journal = newJournal;
    }

    Checkpointer checkpointer() {
        return checkpointer;
    }

    void start() {
        thread.start();
    }

    /** Whether the thread has ended. */
    boolean hasEnded() {
        return !thread.isAlive();
    }

    /** There may be something to do. */
    void wake() {
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

    private void run() {
        Journal current = Objects.requireNonNull(journal);
        while (awaitWork()) {
            try {
                probe.run();
                if (current.wantsCheckpoint()) {
                    long epoch = current.epoch();
                    checkpointer.advanceTo(epoch, alive);
                    current.checkpointed(epoch);
                }
                if (current.isDirty() && !current.flushUnlessFull(current.appended())) {
                    wake();
                }
                failures = 0;
            } catch (IOException | RuntimeException e) {
                tell(e);
                pause(RETRY_MILLIS);
                wake();
            }
        }
    }

    /** Logs the first failure of a row, then about one a minute. */
    private void tell(Exception e) {
        if (failures++ % FAILURES_A_LINE == 0) {
            LOG.log(System.Logger.Level.WARNING, name + ": will be tried again", e);
        }
    }

    /** Waits for work or for the time to look after the device, and a little longer so that it comes in batches. False: the medium is closed. */
    private boolean awaitWork() {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS);
            while (!work && !closed && left > 0) {
                left = woken.awaitNanos(left);
            }
            work = false;
            return !closed && !pause(FLUSH_AFTER_MILLIS);
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
                left = woken.awaitNanos(left);
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
