package io.tidemark.core.medium;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Threads for what may be kept by a device: they come with the work and go when there has been none for ten seconds, and so much
 * work may wait for one. What is not taken never runs: where too much waits, after the end, and where the system starts no further
 * thread (the limit of a user or of a container), which the executors of the JDK tell by an error, when they may have kept the work.
 */
public final class Workers extends ThreadPoolExecutor {
    private static final long IDLE_SECONDS = 10;

    /**
     * Threads that take work.
     *
     * @param threads at once, 1 or more
     * @param queued pieces of work that may wait, 1 or more
     * @param name of the threads, before their number
     */
    public Workers(int threads, int queued, String name) {
        this(threads, queued, Thread.ofPlatform().daemon().name(name, 0).factory());
    }

    Workers(int threads, int queued, ThreadFactory factory) {
        super(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(queued), factory);
        allowCoreThreadTimeOut(true);
    }

    /**
     * Has the work done soon.
     *
     * @throws RejectedExecutionException where it is not taken, for whatever reason
     */
    @Override
    public void execute(Runnable work) {
        Piece piece = new Piece(work);
        try {
            super.execute(piece);
        } catch (OutOfMemoryError e) { // of threads; where the heap is used up the process ends
            if (piece.takeBack()) {
                throw new RejectedExecutionException("the system starts no further thread", e);
            }
        }
    }

    /** Pieces of work that wait for a thread. */
    public int waiting() {
        return getQueue().size();
    }

    /** Work that either runs once or is taken back. */
    private static final class Piece implements Runnable {
        private final Runnable work;
        private final AtomicBoolean settled = new AtomicBoolean();

        private Piece(Runnable work) {
            this.work = work;
        }

        private boolean takeBack() {
            return settled.compareAndSet(false, true);
        }

        @Override
        public void run() {
            if (settled.compareAndSet(false, true)) {
                work.run();
            }
        }
    }
}
