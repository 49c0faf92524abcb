package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Notices that deletion is on, may free, and frees nothing, and says why: once per cause and {@link #TELL_MINUTES}
 * minutes in the log, and as a problem for as long as it lasts. Observed by the activator after each look, read by any
 * thread. Guarded by itself; listener and causes are called without the lock.
 */
final class StandStill {
    /** How long nothing must have gone; what may go goes within milliseconds. */
    private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final int TELL_MINUTES = 10;

    private final Supplier<Cause> cause;
    private final LongSupplier gone;
    private final VolumeListener listener;
    private final Clocks clocks;
    private volatile Cause now = Cause.NONE;

    @GuardedBy("this")
    private long goneBefore;

    @GuardedBy("this")
    private long sinceNanos;

    @GuardedBy("this")
    private Kind told = Kind.NONE;

    @GuardedBy("this")
    private long toldNanos;

    /** Why nothing goes. */
    enum Kind {
        NONE,
        NO_BLOCKS,
        TOO_SMALL,
        ALL_YOUNG,
        CLOCK,
        UNREAD,
        REFUSED
    }

    /**
     * A cause.
     *
     * @param text for people; empty for {@link Kind#NONE}
     */
    record Cause(Kind kind, String text) {
        static final Cause NONE = new Cause(Kind.NONE, "");
    }

    /**
     * A watch.
     *
     * @param cause why nothing may go now, if that can be said
     * @param gone files that went since the start
     */
    StandStill(Supplier<Cause> cause, LongSupplier gone, VolumeListener listener, Clocks clocks) {
        this.cause = cause;
        this.gone = gone;
        this.listener = listener;
        this.clocks = clocks;
        this.sinceNanos = clocks.monotonicNanos();
    }

    /**
     * Takes in how things stand.
     *
     * @param mayFree deletion is on and its grant is open
     */
    void observe(boolean mayFree) {
        if (!isStill(mayFree)) {
            now = Cause.NONE;
            return;
        }
        Cause found = cause.get();
        if (isNews(found.kind)) {
            listener.warn("deletion is on, but nothing may go: " + found.text);
        }
        // last: who sees the problem finds the warning told
        now = found;
    }

    private synchronized boolean isStill(boolean mayFree) {
        long count = gone.getAsLong();
        if (!mayFree || count != goneBefore) {
            goneBefore = count;
            sinceNanos = clocks.monotonicNanos();
        }
        return clocks.monotonicNanos() - sinceNanos >= STILL_NANOS;
    }

    private synchronized boolean isNews(Kind kind) {
        long time = clocks.monotonicNanos();
        boolean news =
                kind != Kind.NONE && (kind != told || time - toldNanos >= TimeUnit.MINUTES.toNanos(TELL_MINUTES));
        if (news) {
            told = kind;
            toldNanos = time;
        }
        return news;
    }

    /** Minutes as the setting writes them: whole where they are. */
    static String minutes(long seconds) {
        return seconds % 60 == 0 ? Long.toString(seconds / 60) : Double.toString(seconds / 60.0);
    }

    /** Why nothing goes though it should; empty when all is well, or nobody knows. */
    String problem() {
        String text = now.text;
        return text.isEmpty() ? "" : "nothing may go: " + text;
    }
}
