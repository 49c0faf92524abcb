package io.tidemark.core.pool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Victims that could not go, left out of the next rounds for {@value #PARK_MILLIS} ms, so that they cost one try each
 * and stop nobody behind them. Bounded: beyond {@value #LIMIT} the oldest are tried again. Belongs to one thread.
 */
final class Parked<H> {
    private static final int LIMIT = 4_096;
    private static final long PARK_MILLIS = 100;

    private record Entry<H>(H handle, long untilNanos) {}

    private final Clocks clocks;
    private final Deque<Entry<H>> queue = new ArrayDeque<>();
    private final Set<H> handles = new HashSet<>();
    private final LongAdder total = new LongAdder();

    Parked(Clocks clocks) {
        this.clocks = clocks;
    }

    void park(H handle) {
        if (handles.add(handle)) {
            long until = clocks.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(PARK_MILLIS);
            queue.addLast(new Entry<>(handle, until));
            total.increment();
        }
    }

    boolean contains(H handle) {
        return handles.contains(handle);
    }

    /** Forgets those whose time is over, and the oldest beyond the bound. */
    void letGo() {
        long now = clocks.monotonicNanos();
        while (!queue.isEmpty() && (queue.size() > LIMIT || queue.getFirst().untilNanos() - now <= 0)) {
            handles.remove(queue.removeFirst().handle());
        }
    }

    /** Victims ever left out. */
    long total() {
        return total.sum();
    }
}
