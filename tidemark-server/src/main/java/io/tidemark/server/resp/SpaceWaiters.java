package io.tidemark.server.resp;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections that wait for space, and turns further ones away at the limit. */
final class SpaceWaiters {
    private final int limit;
    private final AtomicInteger waiting = new AtomicInteger();

    SpaceWaiters(int limit) {
        this.limit = limit;
    }

    /** Whether one more may wait; it has to {@link #leave} then. */
    boolean enter() {
        if (waiting.incrementAndGet() <= limit) {
            return true;
        }
        waiting.decrementAndGet();
        return false;
    }

    void leave() {
        waiting.decrementAndGet();
    }

    int count() {
        return waiting.get();
    }
}
