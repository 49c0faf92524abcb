package io.tidemark.core.medium;

import java.util.concurrent.locks.Condition;

/** The time by which a thread waits. Tests have one that stands still until it is moved. */
interface Waits {
    /** That of this machine. */
    Waits SYSTEM = new Waits() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        @SuppressWarnings("WaitNotInLoop") // the caller has the loop
        public long await(Condition condition, long nanos) throws InterruptedException {
            return condition.awaitNanos(nanos);
        }
    };

    /** As {@link System#nanoTime}. */
    long nanoTime();

    /** As {@link Condition#awaitNanos}: may come back before its time, and answers what is left of it. */
    long await(Condition condition, long nanos) throws InterruptedException;
}
