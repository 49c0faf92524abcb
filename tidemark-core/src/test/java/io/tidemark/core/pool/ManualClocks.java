package io.tidemark.core.pool;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Clocks that a test moves. The monotonic one starts close to its wrap-around, so that tests cross it. */
final class ManualClocks implements Clocks {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1));
    private final AtomicLong wall = new AtomicLong(1_800_000_000_000L);

    void advanceMillis(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
        wall.addAndGet(millis);
    }

    void stepWallMillis(long millis) {
        wall.addAndGet(millis);
    }

    @Override
    public long monotonicNanos() {
        return nanos.get();
    }

    @Override
    public long wallMillis() {
        return wall.get();
    }
}
