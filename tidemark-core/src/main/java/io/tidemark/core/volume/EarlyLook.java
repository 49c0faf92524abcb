package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;

/**
 * Lets the activator look at the volume before its time: the conductor asks for it when a walk has found the cache, and
 * deleters when they have used up what they may free, so that start and end of deletion wait for no interval. Guarded by
 * itself.
 */
final class EarlyLook {
    @GuardedBy("this")
    private boolean asked;

    synchronized void ask() {
        asked = true;
        notifyAll();
    }

    /** Waits until a look is asked for, {@code millis} at most. */
    synchronized void await(long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long left = end - System.nanoTime();
        while (!asked && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            left = end - System.nanoTime();
        }
        asked = false;
    }
}
