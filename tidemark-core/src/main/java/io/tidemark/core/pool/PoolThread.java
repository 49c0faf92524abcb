package io.tidemark.core.pool;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;

/**
 * A thread that does a duty when its signal is raised, and at least every 100 ms. Nothing that a duty throws ends it: the
 * failure is counted, told to the listener once in a row, and the duty tried again after a pause.
 */
final class PoolThread {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Signal signal;
    private final Runnable duty;
    private final LongUnaryOperator pauseNanos;
    private final long restNanos;
    private final FailureListener listener;
    private final Thread thread;
    private volatile boolean closed = false;
    private volatile long failures = 0;
    private volatile long turnEndedNanos = System.nanoTime();
    /** The kind of the failure that was told last, until a turn goes well. Used by the thread alone. */
    private String lastFailure = "";

    /**
     * @param pauseNanos how long to wait before the next turn, given the poll interval
     * @param restNanos time between two turns at least
     */
    PoolThread(
            String name,
            Signal signal,
            Runnable duty,
            LongUnaryOperator pauseNanos,
            long restNanos,
            FailureListener listener) {
        this.signal = signal;
        this.duty = duty;
        this.pauseNanos = pauseNanos;
        this.restNanos = restNanos;
        this.listener = listener;
        thread = Thread.ofPlatform().name(name).daemon(true).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** How the thread does. */
    ThreadHealth health() {
        long since = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - turnEndedNanos);
        return new ThreadHealth(thread.getName(), thread.isAlive(), failures, since);
    }

    private void run() {
        while (!closed) {
            try {
                turn();
                lastFailure = "";
                turnEndedNanos = System.nanoTime();
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    private void turn() {
        signal.await(Math.max(restNanos, pauseNanos.applyAsLong(POLL_NANOS)));
        if (!closed) {
            duty.run();
            rest(restNanos);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written by this thread alone
    private void failed(Throwable failure) {
        failures++;
        String kind = failure.getClass().getName();
        boolean first = !lastFailure.equals(kind);
        lastFailure = kind;
        try {
            if (first) {
                listener.failed(thread.getName(), failure, failures);
            }
        } catch (Throwable e) {
            failure.addSuppressed(e);
        }
        rest(PAUSE_AFTER_FAILURE_NANOS);
    }

    /** A signal that is raised meanwhile wakes the thread, and does not end its rest. */
    private void rest(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !closed; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Tells the thread to end after its turn. */
    void stop() {
        closed = true;
        signal.raise();
    }

    /** Waits for the end of a stopped thread until this moment of {@link System#nanoTime}. */
    void join(long untilNanos) {
        long left = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
        try {
            thread.join(Math.max(1, left));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
