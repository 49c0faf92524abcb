package io.tidemark.core.medium;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether a device works, judged by its calls: unhealthy after {@value #FAILURES_MAX} failures in a row, or while a call
 * hangs. An unhealthy device is let one call through every {@value #RETRY_MILLIS} ms; the first that succeeds heals it.
 * A full device is not a broken one.
 *
 * <p>Thread-safe; its monitor is a leaf of the lock order.
 */
final class DeviceHealth {
    static final int FAILURES_MAX = 3;
    static final long RETRY_MILLIS = 1000;
    static final long HANG_MILLIS = 5000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LongSupplier nanoClock;
    private final Map<Long, Long> running = new LinkedHashMap<>();
    private long nextToken;
    private int failures;
    private long retryAt;
    private String why = "";
    private boolean closed;

    DeviceHealth(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /**
     * A call begins; the answer is for {@link #end}.
     *
     * @throws IOException when the device is closed
     */
    synchronized long begin() throws IOException {
        if (closed) {
            throw new IOException("the device is closed");
        }
        running.put(++nextToken, nanoClock.getAsLong());
        return nextToken;
    }

    synchronized void end(long token) {
        running.remove(token);
        notifyAll();
    }

    /** Lets no call begin any more and waits for those that run; false: some still do. */
    synchronized boolean close(long waitMillisMax) {
        closed = true;
        long deadline = System.nanoTime() + waitMillisMax * NANOS_PER_MILLI;
        try {
            while (!running.isEmpty() && deadline - System.nanoTime() > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, deadline - System.nanoTime()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return running.isEmpty();
    }

    synchronized void succeeded() {
        failures = 0;
        why = "";
    }

    synchronized void failed(SysException e) {
        if (e.errno() == Errno.ENOSPC || e.errno() == Errno.EDQUOT) {
            return;
        }
        failures++;
        why = e.getMessage() == null ? e.call() : e.getMessage();
        retryAt = nanoClock.getAsLong() + RETRY_MILLIS * NANOS_PER_MILLI;
    }

    /** How it stands. */
    synchronized MediumHealth health() {
        if (isHanging()) {
            return MediumHealth.unhealthy("a call has not come back for more than " + HANG_MILLIS + " ms");
        }
        return failures < FAILURES_MAX ? MediumHealth.HEALTHY : MediumHealth.unhealthy(why);
    }

    /** Whether a call may be made now: the device is healthy, or it is time to try again. */
    synchronized boolean mayTry() {
        if (isHanging()) {
            return false;
        }
        if (failures < FAILURES_MAX) {
            return true;
        }
        long now = nanoClock.getAsLong();
        if (now - retryAt < 0) {
            return false;
        }
        retryAt = now + RETRY_MILLIS * NANOS_PER_MILLI;
        return true;
    }

    private boolean isHanging() {
        if (running.isEmpty()) {
            return false;
        }
        long oldest = running.values().iterator().next();
        return nanoClock.getAsLong() - oldest > HANG_MILLIS * NANOS_PER_MILLI;
    }
}
