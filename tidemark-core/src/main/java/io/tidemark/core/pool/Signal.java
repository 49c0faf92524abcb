package io.tidemark.core.pool;

import java.util.concurrent.locks.LockSupport;

/**
 * Wakes one thread. Raising it costs one read when it is up already, and takes no lock. What is raised while the thread
 * works is seen in its next wait.
 */
final class Signal {
    private volatile boolean raised = false;
    private volatile Thread waiter = Thread.currentThread();

    void raise() {
        if (!raised) {
            raised = true;
            LockSupport.unpark(waiter);
        }
    }

    /** Waits until it is raised, for so long at most, and lowers it. Called by one thread only. */
    void await(long nanos) {
        waiter = Thread.currentThread();
        long end = System.nanoTime() + nanos;
        long left = nanos;
        while (!raised && left > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, left);
            left = end - System.nanoTime();
        }
        raised = false;
    }
}
