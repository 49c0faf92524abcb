package io.tidemark.core.pool;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What is done now and then: overdue puts and reads, leases and lives that are over, callers that wait for space. */
final class Housekeeping {
    /** Entries thrown away in one go. */
    private static final int EXPIRE_SLICE = 256;

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Collection<Session> sessions;
    private final Leases leases;
    private final Expiry expiry;
    private final Evictions evictions;
    private final SpaceWaiters waiters;
    private final DropTeller drops;
    private final Clocks clocks;
    private long lastTickNanos;
    private final LongAdder overdue = new LongAdder();

    Housekeeping(
            Collection<Session> sessions,
            Leases leases,
            Expiry expiry,
            Evictions evictions,
            SpaceWaiters waiters,
            DropTeller drops,
            Clocks clocks) {
        this.sessions = sessions;
        this.leases = leases;
        this.expiry = expiry;
        this.evictions = evictions;
        this.waiters = waiters;
        this.drops = drops;
        this.clocks = clocks;
        lastTickNanos = clocks.monotonicNanos();
    }

    /** Serves those who wait for space, and now and then does the rest. */
    void turn() {
        long now = clocks.monotonicNanos();
        if (now - lastTickNanos < TICK_NANOS) {
            waiters.serve();
        } else {
            lastTickNanos = now;
            tick();
        }
    }

    /** Does all that is due now. */
    void tick() {
        long now = clocks.monotonicNanos();
        for (Session session : sessions) {
            overdue.add(session.endOverdue(now));
        }
        leases.expire();
        drops.tell();
        List<Integer> due;
        do {
            due = expiry.due(now, EXPIRE_SLICE);
            due.forEach(evictions::expire);
            waiters.serve();
        } while (due.size() == EXPIRE_SLICE);
    }

    /** Nanoseconds until something may be due, at most {@code most}. */
    long nextNanos(long most) {
        return waiters.nextNanos(most);
    }

    void show(CounterVisitor visitor) {
        visitor.counter("tidemark_overdue_total", "Puts and reads that made no progress in time.", overdue.sum());
    }
}
