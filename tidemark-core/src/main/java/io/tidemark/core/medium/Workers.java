package io.tidemark.core.medium;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Threads for what may be kept by a device: they come with the work and go when there has been none for ten seconds, and so much
 * work may wait for one. What is not taken never runs: where too much waits, after the end, and where there is no thread and the
 * system starts none (the limit of a user or of a container). The executors of the JDK tell the last by an error, also when
 * others of their threads are idle, and may have kept the work.
 */
public final class Workers implements Executor {
    private static final long IDLE_SECONDS = 10;

    private final BlockingQueue<Runnable> queue;
    private final ThreadPoolExecutor threads;

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
        queue = new LinkedBlockingQueue<>(queued);
        this.threads = new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, queue, factory);
        this.threads.allowCoreThreadTimeOut(true);
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
            threads.execute(piece);
        } catch (OutOfMemoryError e) { // of threads; where the heap is used up the process ends
            boolean waits = threads.getPoolSize() > 0 && queue.offer(piece) && threads.getPoolSize() > 0;
            if (!waits && piece.takeBack()) {
                throw new RejectedExecutionException("the system starts no thread for it", e);
            }
        }
    }

    /** Pieces of work that wait for a thread. */
    public int waiting() {
        return queue.size();
    }

    /** Pieces of work that a thread is at. */
    public int running() {
        return threads.getActiveCount();
    }

    /** Takes no more; what waits is still done. */
    public void end() {
        threads.shutdown();
    }

    /** Takes no more, forgets what waits, and interrupts what runs. */
    public void stop() {
        threads.shutdownNow();
    }

    /** Waits, after {@link #end} or {@link #stop}, until no thread is left; false: one still is. */
    public boolean awaitEnd(long nanos) throws InterruptedException {
        return threads.awaitTermination(nanos, TimeUnit.NANOSECONDS);
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
