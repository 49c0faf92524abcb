package io.tidemark.core.pool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Sessions that wait for space in the entry tier, first come first served: a waiter is called when what it will be
 * charged, after all before it, is free in one backend, or when its time is over. Puts that come later do not take that
 * space: while somebody waits they find none, and what a waiter was called for is kept for it for a while. Bounded.
 * A session that waits is in the queue once a call of {@link #add}, and leaves it by the one call of its {@code retry}.
 * Callbacks run on the thread that serves; one that asks again at once is seen in the next turn. The monitor stands above
 * those of the entry tier's ledgers.
 */
final class SpaceWaiters {
    /** How long space is kept for a waiter that was called. */
    private static final long KEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private record Waiter(Session session, long bytes, long untilNanos, Runnable retry) {}

    /** Space that a called waiter has not taken yet. */
    private record Kept(long bytes, long untilNanos) {}

    private final Tier entryTier;
    private final IndexSpace index;
    private final int limit;
    private final Clocks clocks;
    private final Runnable wake;
    /** In order of arrival. Guarded by this. */
    private final Deque<Waiter> waiting = new ArrayDeque<>();
    /** Size of {@link #waiting}. Written before a waiter looks for space, read after space was freed: none is missed. */
    private volatile int count = 0;
    /** Guarded by this. */
    private final Map<Session, Kept> kept = new HashMap<>();
    /** Whether any space is kept, or anybody waits: else a put need not ask. */
    private volatile boolean contended = false;

    private final LongAdder refused = new LongAdder();
    private final LongAdder served = new LongAdder();
    private final LongAdder timedOut = new LongAdder();

    /** @param wake called when somebody begins to wait; must not block */
    SpaceWaiters(Tier entryTier, IndexSpace index, int limit, Clocks clocks, Runnable wake) {
        this.entryTier = entryTier;
        this.index = index;
        this.limit = limit;
        this.clocks = clocks;
        this.wake = wake;
    }

    /** See {@link Session#awaitSpace}. */
    boolean add(Session session, long bytes, long timeoutMillis, Runnable retry) {
        synchronized (this) {
            if (waiting.size() >= limit) {
                refused.increment();
                return false;
            }
            long until = clocks.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            waiting.addLast(new Waiter(session, bytes, until, retry));
            counted();
        }
        wake.run();
        return true;
    }

    /** Whether a put of this session may look for space now: nobody else has been waiting for it. */
    boolean mayTake(Session session, long bytes) {
        return !contended || mayTakeBesideOthers(session, bytes);
    }

    private synchronized boolean mayTakeBesideOthers(Session session, long bytes) {
        boolean called = kept.remove(session) != null;
        boolean may = called || (waiting.isEmpty() && takes(freeBytes(clocks.monotonicNanos()), bytes));
        counted();
        return may;
    }

    private void counted() {
        count = waiting.size();
        contended = count > 0 || !kept.isEmpty();
    }

    /** Calls everybody whose space is there or whose time is over. */
    void serve() {
        List<Runnable> calls = new ArrayList<>();
        synchronized (this) {
            long now = clocks.monotonicNanos();
            long[] free = freeBytes(now);
            boolean blocked = index.isShort();
            for (int left = waiting.size(); left > 0; left--) {
                Waiter waiter = waiting.removeFirst();
                if (waiter.untilNanos() - now <= 0) {
                    timedOut.increment();
                    calls.add(waiter.retry());
                    continue;
                }
                blocked = blocked || !takes(free, waiter.bytes());
                if (!blocked) {
                    served.increment();
                    kept.put(waiter.session(), new Kept(waiter.bytes(), now + KEPT_NANOS));
                    calls.add(waiter.retry());
                } else {
                    waiting.addLast(waiter);
                }
            }
            counted();
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
        String help = "Waits for space, by how they ended.";
        visitor.counter("tidemark_space_waits_total", help, served.sum(), "outcome", "served");
        visitor.counter("tidemark_space_waits_total", help, timedOut.sum(), "outcome", "timed_out");
        visitor.counter("tidemark_space_waits_total", help, refused.sum(), "outcome", "refused");
        visitor.gauge("tidemark_space_waiters", "Callers that wait for space now.", size());
    }

    /** What is free in each backend and kept for nobody. */
    private long[] freeBytes(long now) {
        long[] free = entryTier.backends.stream()
                .mapToLong(backend -> backend.medium.ledger().freeBytes())
                .toArray();
        kept.values().removeIf(space -> space.untilNanos() - now <= 0);
        kept.values().forEach(space -> takes(free, space.bytes()));
        return free;
    }

    /** Takes what a value of this length is charged out of the first backend where it is free. */
    private boolean takes(long[] free, long bytes) {
        for (int number = 0; number < free.length; number++) {
            long charged = entryTier.backends.get(number).allocated(bytes);
            if (charged <= free[number]) {
                free[number] -= charged;
                return true;
            }
        }
        return false;
    }
}
