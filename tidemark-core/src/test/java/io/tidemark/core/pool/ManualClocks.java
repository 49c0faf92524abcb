package io.tidemark.core.pool;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Clocks that a test moves. The monotonic one starts close to its wrap-around, so that tests cross it. */
final class ManualClocks implements Clocks {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1));
    private final AtomicLong wall = new AtomicLong(1_800_000_000_000L);
    private volatile long pauseMillis = 0;

    void advanceMillis(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
        wall.addAndGet(millis);
    }

    /** From now on whoever asks has to wait so long before it goes on with the answer. */
    void pauseAfterEachAnswer(long millis) {
        pauseMillis = millis;
    }

    void stepWallMillis(long millis) {
        wall.addAndGet(millis);
    }

    @Override
    public long monotonicNanos() {
        long now = nanos.get();
        advanceMillis(pauseMillis);
        return now;
    }

    @Override
    public long wallMillis() {
        long now = wall.get();
        advanceMillis(pauseMillis);
        return now;
    }
}
