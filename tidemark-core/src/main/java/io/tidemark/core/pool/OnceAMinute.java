package io.tidemark.core.pool;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Keeps a message that may be due at every call to one a minute. Thread-safe, without a lock. */
final class OnceAMinute {
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Clocks clocks;
    private final AtomicLong lastNanos;

    OnceAMinute(Clocks clocks) {
        this.clocks = clocks;
        lastNanos = new AtomicLong(clocks.monotonicNanos() - MINUTE_NANOS);
    }

    /** True for one caller a minute, and for the first. */
    boolean isDue() {
        long now = clocks.monotonicNanos();
        long last = lastNanos.get();
        return now - last >= MINUTE_NANOS && lastNanos.compareAndSet(last, now);
    }
}
