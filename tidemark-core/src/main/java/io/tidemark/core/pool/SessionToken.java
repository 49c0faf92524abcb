package io.tidemark.core.pool;

/** Something a session holds: ended once, by its holder, by the end of the session, or when its time is over. */
abstract class SessionToken {
    /** Whether its time is over at this moment. */
    abstract boolean overdue(long nowNanos);

    /** Ends it, if it has not ended yet. */
    abstract void end();

    /** What it is, for the owner of the session. */
    abstract String what();
}
