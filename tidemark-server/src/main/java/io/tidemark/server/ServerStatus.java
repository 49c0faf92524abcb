package io.tidemark.server;

import io.tidemark.core.pool.PoolStatus;

/**
 * The body of {@code /api/v1/status}.
 *
 * @param phase starting, serving or stopping
 */
public record ServerStatus(String phase, double uptimeSeconds, Endpoints server, PoolStatus pool) {}
