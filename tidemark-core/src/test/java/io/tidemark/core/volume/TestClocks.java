package io.tidemark.core.volume;

import io.tidemark.core.pool.Clocks;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The machine's clocks, with an offset each that a test moves. */
final class TestClocks implements Clocks {
    private final AtomicLong monotonicOffset = new AtomicLong();
    private final AtomicLong wallOffset = new AtomicLong();

    void passTime(Duration time) {
        monotonicOffset.addAndGet(time.toNanos());
        wallOffset.addAndGet(time.toMillis());
    }

    void stepWall(Duration step) {
        wallOffset.addAndGet(step.toMillis());
    }

    @Override
    public long monotonicNanos() {
        return System.nanoTime() + monotonicOffset.get();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis() + wallOffset.get();
    }
}
