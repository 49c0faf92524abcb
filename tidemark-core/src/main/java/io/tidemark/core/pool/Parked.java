package io.tidemark.core.pool;

import io.tidemark.core.medium.Offer;
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

    private record Entry<H>(Offer<H> offer, long untilNanos) {}

    private final Clocks clocks;
    private final Deque<Entry<H>> queue = new ArrayDeque<>();
    private final Set<H> handles = new HashSet<>();
    private long bytes = 0;
    private final LongAdder total = new LongAdder();

    Parked(Clocks clocks) {
        this.clocks = clocks;
    }

    void park(Offer<H> offer) {
        if (handles.add(offer.handle())) {
            long until = clocks.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(PARK_MILLIS);
            queue.addLast(new Entry<>(offer, until));
            bytes += offer.bytes();
            total.increment();
        }
    }

    boolean contains(H handle) {
        return handles.contains(handle);
    }

    /** Number of victims left out now; those whose time is over are let go first. */
    int size() {
        long now = clocks.monotonicNanos();
        while (!queue.isEmpty() && (queue.size() > LIMIT || queue.getFirst().untilNanos() - now <= 0)) {
            Entry<H> over = queue.removeFirst();
            handles.remove(over.offer().handle());
            bytes -= over.offer().bytes();
        }
        return queue.size();
    }

    /** Bytes of the victims left out now. */
    long bytes() {
        return bytes;
    }

    /** Victims ever left out. */
    long total() {
        return total.sum();
    }
}
