package io.tidemark.core.pool;

import java.util.Set;

/**
 * What a session needs of its pool.
 *
 * @param open the sessions that are open; a session leaves it when it closes
 */
record PoolCore(Puts puts, Reads reads, Lookups lookups, Leases leases, Set<Session> open) {}
