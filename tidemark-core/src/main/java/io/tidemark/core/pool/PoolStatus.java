package io.tidemark.core.pool;

import java.util.List;

/**
 * A pool at a moment.
 *
 * @param spaceWaiters callers that wait for space now
 * @param transitions demotions and promotions that are queued or running
 */
public record PoolStatus(
        List<BackendStatus> backends,
        long blocks,
        long sessions,
        long reservations,
        long pins,
        long leases,
        long spaceWaiters,
        long transitions) {}
