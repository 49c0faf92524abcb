package io.tidemark.server;

import io.tidemark.core.pool.PoolStatus;

/**
 * The body of {@code /api/v1/status}.
 *
 * @param phase starting, serving or stopping
 * @param hits keys that look-ups and reads have found since the start
 * @param misses keys that they have not found
 */
public record ServerStatus(
        String phase, double uptimeSeconds, Endpoints server, long hits, long misses, PoolStatus pool) {}
