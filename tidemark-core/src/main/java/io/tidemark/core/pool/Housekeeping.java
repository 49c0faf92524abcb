package io.tidemark.core.pool;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** What is done now and then: overdue puts and reads, leases and lives that are over, callers that wait for space. */
final class Housekeeping {
    /** Entries thrown away between two looks at the other duties. */
    private static final int EXPIRE_SLICE = 256;

    private final Collection<Session> sessions;
    private final Leases leases;
    private final Expiry expiry;
    private final Evictions evictions;
    private final SpaceWaiters waiters;
    private final Clocks clocks;
    private final LongAdder overdue = new LongAdder();

    Housekeeping(
            Collection<Session> sessions,
            Leases leases,
            Expiry expiry,
            Evictions evictions,
            SpaceWaiters waiters,
            Clocks clocks) {
        this.sessions = sessions;
        this.leases = leases;
        this.expiry = expiry;
        this.evictions = evictions;
        this.waiters = waiters;
        this.clocks = clocks;
    }

    /** Does what is due now. */
    void tick() {
        waiters.serve();
        long now = clocks.monotonicNanos();
        for (Session session : sessions) {
            overdue.add(session.endOverdue(now));
        }
        leases.expire();
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
