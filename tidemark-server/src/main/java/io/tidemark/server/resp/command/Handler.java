package io.tidemark.server.resp.command;

/** Runs one command; writes exactly one reply, or leaves a {@link Continuation} that finishes it. */
@FunctionalInterface
interface Handler {
    void run(Call call);
}
