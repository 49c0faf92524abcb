package io.tidemark.server.resp.command;

import io.tidemark.core.pool.Clocks;
import io.tidemark.core.pool.Pool;
import java.util.concurrent.Executor;

/**
 * What all connections of a server share.
 *
 * @param arguments the heap that arguments of all connections share
 * @param jobs runs what takes too long for an event loop, one after another; at most one job a connection
 */
public record Environment(
        Pool pool,
        Clocks clocks,
        RespStats stats,
        Clients clients,
        MissPadding padding,
        ArgumentSpace arguments,
        ServerFacts facts,
        Executor jobs) {
    /** Monotonic milliseconds. */
    public long nowMillis() {
        return clocks.monotonicNanos() / 1_000_000;
    }
}
