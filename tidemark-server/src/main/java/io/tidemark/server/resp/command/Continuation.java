package io.tidemark.server.resp.command;

/** The rest of a command that is done step by step, so that no client waits for the whole of another's. */
@FunctionalInterface
interface Continuation {
    /** How to go on after a step. */
    enum Progress {
        /** There is more to do. */
        MORE,
        /** There is more to do, but first everything that is queued for this client has to leave. */
        WHEN_SENT,
        /** The reply is complete. */
        DONE
    }

    /** Does the next step. An error ends the command, if nothing of its reply is written yet. */
    Progress step();

    /** Whether the next step can be done now. If not, another thread wakes the connection as soon as it can. */
    default boolean ready() {
        return true;
    }

    /** Ends a wait whose time is over: the next step can be done then, and says so. Whether there was one. */
    default boolean giveUp(long nowNanos) {
        return false;
    }
}
