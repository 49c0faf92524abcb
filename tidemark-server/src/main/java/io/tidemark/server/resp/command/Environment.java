package io.tidemark.server.resp.command;

import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.Pool;

/** What all connections of a server share. */
public record Environment(
        Pool pool, Clocks clocks, RespStats stats, Clients clients, MissPadding padding, ServerFacts facts) {
    /** Monotonic milliseconds. */
    public long nowMillis() {
        return clocks.monotonicNanos() / 1_000_000;
    }
}
