package io.tidemark.server.resp.command;

/** The rest of a reply that is written piece by piece, as the client takes it. */
@FunctionalInterface
interface Continuation {
    /** Writes the next piece. True when the reply is complete. */
    boolean step();
}
