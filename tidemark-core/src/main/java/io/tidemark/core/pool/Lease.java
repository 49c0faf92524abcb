package io.tidemark.core.pool;

import java.util.Set;

/**
 * A promise to a session that a block stays readable for a while.
 *
 * @param unread parts that the session has not read yet; changed under the monitor of {@link Leases}
 */
record Lease(Session session, int entry, Backend charged, long bytes, long untilNanos, Set<Integer> unread) {
    /** The part was read; whether all are now. */
    boolean readAll(int part) {
        unread.remove(part);
        return unread.isEmpty();
    }
}
