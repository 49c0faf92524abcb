package io.tidemark.core.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Something a session holds: ended once, by its holder, by the end of the session, or when its time is over. */
abstract class SessionToken {
    private static final VarHandle ENDED;

    static {
        try {
            ENDED = MethodHandles.lookup().findVarHandle(SessionToken.class, "ended", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Where it is in the {@link TokenList} of its session; -1: in none. Guarded by the session. */
    int place = -1;

    private volatile boolean ended = false;

    /** Whether its time is over at this moment. */
    abstract boolean overdue(long nowNanos);

    /** Ends it, if it has not ended yet. */
    abstract void end();

    /** What it is, for the owner of the session. */
    abstract String what();

    /** Claims the one end of this token: true for the first caller alone. */
    final boolean endOnce() {
        return ENDED.compareAndSet(this, false, true);
    }

    final boolean hasEnded() {
        return ended;
    }
}
