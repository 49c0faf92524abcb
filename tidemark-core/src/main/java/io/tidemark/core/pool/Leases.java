package io.tidemark.core.pool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Leases by entry. One look-up of a session gives at most one lease on a block, and asking again does not extend it.
 * Bounded by a share of the tier and a number per session; what is beyond is refused and counted.
 *
 * <p>A lease that stands is in all three collections, one that has ended in none; the leased bytes of a backend are the sum
 * over the leases that stand and are charged to it.
 *
 * <p>Changes are made under the monitor, a leaf of the lock order below the entry locks; {@link #protects} takes none.
 */
final class Leases {
    private final Map<Integer, List<Lease>> byEntry = new ConcurrentHashMap<>();
    /** All leases that stand, in the order in which they end. Guarded by this. */
    private final Set<Lease> byEnd = new LinkedHashSet<>();
    /** The leases of each session that has some. Guarded by this. */
    private final Map<Session, Set<Lease>> bySession = new HashMap<>();

    private final PoolLimits limits;
    private final Clocks clocks;
    private final LongAdder granted = new LongAdder();
    private final LongAdder refused = new LongAdder();

    Leases(PoolLimits limits, Clocks clocks) {
        this.limits = limits;
        this.clocks = clocks;
    }

    /** Takes a lease for the session; false when a cap refuses it. The caller holds the entry's lock. */
    synchronized boolean take(Session session, int entry, Backend backend, long bytes, Set<Integer> parts) {
        List<Lease> held = byEntry.getOrDefault(entry, List.of());
        if (held.stream().anyMatch(lease -> lease.session == session)) {
            return true;
        }
        long limit = (long) (backend.capacityBytes() * limits.leasedShare());
        boolean within = session.leases.get() < limits.leasesPerSession()
                && backend.leasedBytes.get() + bytes <= limit
                && limits.leaseMillis() > 0;
        if (!within) {
            refused.increment();
            return false;
        }
        long until = clocks.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(limits.leaseMillis());
        Lease lease = new Lease(session, entry, backend, bytes, until, parts);
        List<Lease> more = new ArrayList<>(held);
        more.add(lease);
        byEntry.put(entry, List.copyOf(more));
        byEnd.add(lease);
        bySession.computeIfAbsent(session, opened -> new LinkedHashSet<>()).add(lease);
        session.leases.incrementAndGet();
        backend.leasedBytes.addAndGet(bytes);
        granted.increment();
        return true;
    }

    /** Whether a lease that is not over stands on the entry. */
    boolean protects(int entry) {
        if (byEntry.isEmpty()) {
            return false;
        }
        long now = clocks.monotonicNanos();
        for (Lease lease : byEntry.getOrDefault(entry, List.of())) {
            if (lease.untilNanos - now > 0) {
                return true;
            }
        }
        return false;
    }

    /** The session read a part: its lease on the block is over with the first read of the last part of it. */
    void wasRead(Session session, int entry, int part) {
        if (session.leases.get() > 0) {
            synchronized (this) {
                byEntry.getOrDefault(entry, List.of()).stream()
                        .filter(lease -> lease.session == session)
                        .filter(lease -> lease.readAll(part))
                        .forEach(this::end);
            }
        }
    }

    /** The entry is gone, and with it all promises about it. */
    void forget(int entry) {
        if (!byEntry.isEmpty()) {
            synchronized (this) {
                byEntry.getOrDefault(entry, List.of()).forEach(this::end);
            }
        }
    }

    /** The session is closed. */
    void release(Session session) {
        if (session.leases.get() > 0) {
            synchronized (this) {
                List.copyOf(bySession.getOrDefault(session, Set.of())).forEach(this::end);
            }
        }
    }

    /** Ends what is over. */
    synchronized void expire() {
        long now = clocks.monotonicNanos();
        List<Lease> over =
                byEnd.stream().takeWhile(lease -> lease.untilNanos - now <= 0).toList();
        over.forEach(this::end);
    }

    /** Number of leases that stand. */
    synchronized long count() {
        return byEnd.size();
    }

    void show(CounterVisitor visitor) {
        visitor.counter("tidemark_leases_granted_total", "Leases given to look-ups.", granted.sum());
        visitor.counter("tidemark_leases_refused_total", "Leases refused by a cap.", refused.sum());
        visitor.gauge("tidemark_leases", "Leases that stand.", (double) count());
    }

    /** Ends a lease that stands: it leaves everything that names it. */
    private void end(Lease lease) {
        if (!byEnd.remove(lease)) {
            return;
        }
        byEntry.computeIfPresent(lease.entry, (entry, held) -> {
            List<Lease> rest =
                    held.stream().filter(other -> !other.equals(lease)).toList();
            return rest.isEmpty() ? null : rest;
        });
        bySession.computeIfPresent(lease.session, (session, held) -> {
            held.remove(lease);
            return held.isEmpty() ? null : held;
        });
        lease.session.leases.decrementAndGet();
        lease.charged.leasedBytes.addAndGet(-lease.bytes);
    }
}
