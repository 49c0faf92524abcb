package io.tidemark.core.pool;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;

/**
 * A thread that does a duty when its signal is raised, and at least every 100 ms. A duty that throws is tried again; the
 * failure goes to the thread's handler, the same one once in a row.
 */
final class PoolThread implements AutoCloseable {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long JOIN_MILLIS = 2_000;

    private final Signal signal;
    private final Runnable duty;
    private final LongUnaryOperator pauseNanos;
    private final long restNanos;
    private final Thread thread;
    private volatile boolean closed = false;
    /** The failure that was reported last, until a turn succeeds. */
    private String lastFailure = "";

    /**
     * @param pauseNanos how long to wait before the next turn, given the poll interval
     * @param restNanos time between two turns at least
     */
    PoolThread(String name, Signal signal, Runnable duty, LongUnaryOperator pauseNanos, long restNanos) {
        this.signal = signal;
        this.duty = duty;
        this.pauseNanos = pauseNanos;
        this.restNanos = restNanos;
        thread = Thread.ofPlatform().name(name).daemon(true).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            signal.await(Math.max(restNanos, pauseNanos.applyAsLong(POLL_NANOS)));
            if (!closed) {
                turn();
                rest();
            }
        }
    }

    private void turn() {
        try {
            duty.run();
            lastFailure = "";
        } catch (RuntimeException | Error e) {
            if (!lastFailure.equals(e.toString())) {
                lastFailure = e.toString();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }
    }

    private void rest() {
        if (restNanos > 0) {
            LockSupport.parkNanos(this, restNanos);
        }
    }

    /** Ends the thread, within {@value #JOIN_MILLIS} ms. */
    @Override
    public void close() {
        closed = true;
        signal.raise();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
