package io.tidemark.core.pool;

import java.util.HashSet;
import java.util.Set;

/** A promise to a session that a block stays readable for a while. Told apart by identity. */
final class Lease {
    final Session session;
    final int entry;
    final Backend charged;
    final long bytes;
    final long untilNanos;
    /** Parts that the session has not read yet. Guarded by the monitor of {@link Leases}. */
    private final Set<Integer> unread;

    Lease(Session session, int entry, Backend charged, long bytes, long untilNanos, Set<Integer> parts) {
        this.session = session;
        this.entry = entry;
        this.charged = charged;
        this.bytes = bytes;
        this.untilNanos = untilNanos;
        unread = new HashSet<>(parts);
    }

    /** The part was read; whether all are now. */
    boolean readAll(int part) {
        unread.remove(part);
        return unread.isEmpty();
    }
}
