package io.tidemark.core.pool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Callers that wait for space in the entry tier, first come first served: a waiter is called when bytes for it and for
 * all before it are free, or when its time is over. Bounded. Callbacks run on the thread that serves.
 */
final class SpaceWaiters {
    private record Waiter(long bytes, long untilNanos, Runnable retry) {}

    private final Tier entryTier;
    private final int limit;
    private final Clocks clocks;
    /** In order of arrival. Guarded by this. */
    private final Deque<Waiter> waiting = new ArrayDeque<>();
    /** Size of {@link #waiting}. Written before a waiter looks for space, read after space was freed: none is missed. */
    private volatile int count = 0;

    private final LongAdder refused = new LongAdder();
    private final LongAdder served = new LongAdder();
    private final LongAdder timedOut = new LongAdder();

    SpaceWaiters(Tier entryTier, int limit, Clocks clocks) {
        this.entryTier = entryTier;
        this.limit = limit;
        this.clocks = clocks;
    }

    /** See {@link Pool#awaitSpace}. */
    synchronized boolean add(long bytes, long timeoutMillis, Runnable retry) {
        if (waiting.size() >= limit) {
            refused.increment();
            return false;
        }
        long until = clocks.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        waiting.addLast(new Waiter(bytes, until, retry));
        count = waiting.size();
        return true;
    }

    /** Calls everybody whose space is there or whose time is over. */
    void serve() {
        List<Runnable> calls = new ArrayList<>();
        synchronized (this) {
            long now = clocks.monotonicNanos();
            long free = freeBytes();
            boolean blocked = false;
            for (int left = waiting.size(); left > 0; left--) {
                Waiter waiter = waiting.removeFirst();
                blocked |= waiter.bytes() > free;
                if (waiter.untilNanos() - now <= 0) {
                    timedOut.increment();
                    calls.add(waiter.retry());
                } else if (!blocked) {
                    free -= waiter.bytes();
                    served.increment();
                    calls.add(waiter.retry());
                } else {
                    waiting.addLast(waiter);
                }
            }
            count = waiting.size();
        }
        calls.forEach(Runnable::run);
    }

    /** Whether anybody waits. Takes no lock. */
    boolean any() {
        return count > 0;
    }

    int size() {
        return count;
    }

    /** Nanoseconds until the first waiter's time is over, at most {@code most}. */
    synchronized long nextNanos(long most) {
        long now = clocks.monotonicNanos();
        return waiting.stream().mapToLong(waiter -> waiter.untilNanos() - now).reduce(most, Math::min);
    }

    /** Asks the entry tier to make room for the first in line. */
    void want() {
        long bytes;
        synchronized (this) {
            if (waiting.isEmpty()) {
                return;
            }
            bytes = waiting.getFirst().bytes();
        }
        entryTier.backends.forEach(backend -> backend.wanted(bytes));
    }

    void show(CounterVisitor visitor) {
        visitor.counter(
                "tidemark_space_waits_total",
                "Waits for space that ended with space.",
                served.sum(),
                "outcome",
                "served");
        visitor.counter("tidemark_space_waits_total", "Waits for space.", timedOut.sum(), "outcome", "timed_out");
        visitor.counter("tidemark_space_waits_total", "Waits for space.", refused.sum(), "outcome", "refused");
        visitor.gauge("tidemark_space_waiters", "Callers that wait for space now.", size());
    }

    private long freeBytes() {
        return entryTier.backends.stream()
                .mapToLong(backend -> backend.medium.ledger().freeBytes())
                .sum();
    }
}
