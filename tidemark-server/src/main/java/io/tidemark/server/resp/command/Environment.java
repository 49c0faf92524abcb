package io.tidemark.server.resp.command;

import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.Pool;
import io.tidemark.server.record.UseListener;

/**
 * What all connections of a server share.
 *
 * @param arguments the heap that arguments of all connections share
 * @param jobs runs what takes too long for an event loop; a connection has one job at most
 * @param uses hears of each use of a block
 */
public record Environment(
        Pool pool,
        Clocks clocks,
        RespStats stats,
        Clients clients,
        MissPadding padding,
        ArgumentSpace arguments,
        ServerFacts facts,
        Jobs jobs,
        UseListener uses) {
    /** Monotonic milliseconds. */
    public long nowMillis() {
        return clocks.monotonicNanos() / 1_000_000;
    }
}
