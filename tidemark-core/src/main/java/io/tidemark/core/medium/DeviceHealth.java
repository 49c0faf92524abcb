package io.tidemark.core.medium;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether a device works, judged by its calls, reads and writes apart: unhealthy after {@value #FAILURES_MAX} failures of
 * one kind in a row, or while a call hangs. What is unhealthy is let one call through every {@value #RETRY_MILLIS} ms; the
 * first that succeeds heals it. So a file system that turned read-only goes on serving. A full device is not a broken one.
 *
 * <p>Thread-safe; its monitor is a leaf of the lock order.
 */
final class DeviceHealth {
    static final int FAILURES_MAX = 3;
    static final long RETRY_MILLIS = 1000;
    static final long HANG_MILLIS = 5000;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Kind of call. */
    enum Way {
        READ,
        WRITE
    }

    /** Failures of one kind since the last success. */
    private static final class Row {
        private int failures;
        private long retryAt;
        private String why = "";

        private boolean isLong() {
            return failures >= FAILURES_MAX;
        }
    }

    final IoErrors errors = new IoErrors();
    private final String place;
    private final LongSupplier nanoClock;
    private final Map<Long, Long> running = new LinkedHashMap<>();
    private final Row reads = new Row();
    private final Row writes = new Row();
    private long nextToken;
    private boolean readOnly;
    /** Why no write can be recorded, whatever the device says to writes; empty: it can. */
    private String stuck = "";
    /** Why the next start will not find what is written; empty: it will. */
    private String nameless = "";

    private boolean closed;

    /** {@code place}: what to look at where it fails, the directory. */
    DeviceHealth(String place, LongSupplier nanoClock) {
        this.place = place;
        this.nanoClock = nanoClock;
    }

    /**
     * A call begins; the answer is for {@link #end}.
     *
     * @throws IOException when the device is closed
     */
    synchronized long begin() throws IOException {
        if (closed) {
            throw new UnavailableException("the device is closed");
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

    synchronized void succeeded(Way way) {
        row(way).failures = 0;
    }

    synchronized void failed(Way way, SysException e) {
        errors.count(e);
        if (Errno.isFull(e.errno()) || (way == Way.READ && Errno.isShortage(e.errno()))) {
            return; // writes that find no memory for long are no use: whoever waits for them is told so
        }
        Row row = row(way);
        row.failures++;
        row.why = e.getMessage() + " in " + place + Errno.meaning(e.errno());
        row.retryAt = nanoClock.getAsLong() + RETRY_MILLIS * NANOS_PER_MILLI;
    }

    /** Nothing will be written, from here on and for good. */
    synchronized void serveReadOnly(String why) {
        readOnly = true;
        writes.failures = FAILURES_MAX;
        writes.why = why;
    }

    /** No write can be recorded until {@link #unstuck}: there is no sense in trying. */
    synchronized void stuck(String why) {
        stuck = why;
    }

    synchronized void unstuck() {
        stuck = "";
    }

    /** What is written the next start will not find, until the files are {@link #named} again: nothing new is. */
    synchronized void nameless(String why) {
        nameless = why;
    }

    synchronized void named() {
        nameless = "";
    }

    synchronized boolean isNameless() {
        return !nameless.isEmpty();
    }

    /** How it stands. */
    synchronized MediumHealth health() {
        if (isHanging()) {
            return MediumHealth.unhealthy("a call has not come back for more than " + HANG_MILLIS + " ms");
        }
        if (reads.isLong()) {
            return MediumHealth.unhealthy(reads.why);
        }
        if (!nameless.isEmpty()) {
            return MediumHealth.unhealthy(nameless);
        }
        if (writes.isLong()) {
            return MediumHealth.unhealthy(writes.why);
        }
        return stuck.isEmpty() ? MediumHealth.HEALTHY : MediumHealth.unhealthy(stuck);
    }

    /** Whether calls of this kind work. */
    synchronized boolean works(Way way) {
        return !isHanging() && !row(way).isLong() && !isStuck(way);
    }

    /** Whether a call of this kind may be made now: they work, or it is time to try again. */
    synchronized boolean mayTry(Way way) {
        if (isHanging() || (readOnly && way == Way.WRITE) || isStuck(way)) {
            return false;
        }
        Row row = row(way);
        if (!row.isLong()) {
            return true;
        }
        long now = nanoClock.getAsLong();
        if (now - row.retryAt < 0) {
            return false;
        }
        row.retryAt = now + RETRY_MILLIS * NANOS_PER_MILLI;
        return true;
    }

    private boolean isStuck(Way way) {
        return way == Way.WRITE && !(stuck.isEmpty() && nameless.isEmpty());
    }

    private Row row(Way way) {
        return switch (way) {
            case READ -> reads;
            case WRITE -> writes;
        };
    }

    private boolean isHanging() {
        if (running.isEmpty()) {
            return false;
        }
        long oldest = running.values().iterator().next();
        return nanoClock.getAsLong() - oldest > HANG_MILLIS * NANOS_PER_MILLI;
    }
}
