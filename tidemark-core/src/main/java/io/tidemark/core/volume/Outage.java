package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The time in which no look at the volume succeeds, and why: told when it begins, when the reason changes, and when it ends. A volume
 * that comes and goes is told of {@value #TOLD_MAX} times a minute; what is more is counted, and told once the minute is over. Looks come
 * from activator and deleters. Guarded by itself; the listener is told without the lock.
 */
final class Outage {
    /** Beginnings and new reasons that are told in one {@link #SPAN_NANOS}. */
    static final int TOLD_MAX = 4;

    /** What {@link #TOLD_MAX} is counted in: a minute from the first that is told. */
    static final long SPAN_NANOS = 60_000_000_000L;

    private final String volume;
    private final VolumeListener listener;
    private final Clocks clocks;

    @GuardedBy("this")
    private String why = "";

    /** The reason that was told last of the outage going on; empty when none was. */
    @GuardedBy("this")
    private String told = "";

    @GuardedBy("this")
    private long sinceNanos;

    @GuardedBy("this")
    private long spanNanos;

    @GuardedBy("this")
    private int toldInSpan;

    /** Outages that have ended without a word. */
    @GuardedBy("this")
    private int untold;

    /**
     * No outage yet.
     *
     * @param volume its name for people
     */
    Outage(String volume, VolumeListener listener, Clocks clocks) {
        this.volume = volume;
        this.listener = listener;
        this.clocks = clocks;
    }

    /** A look did not succeed. */
    void away(String reason) {
        List<String> news;
        synchronized (this) {
            if (why.isEmpty()) {
                sinceNanos = clocks.monotonicNanos();
            }
            why = reason;
            news = newsOfAway();
        }
        news.forEach(listener::warn);
    }

    @GuardedBy("this")
    private List<String> newsOfAway() {
        if (why.equals(told) || !mayTell()) {
            return List.of();
        }
        List<String> news = newsOfUntold();
        told = why;
        toldInSpan++;
        news.add(why + ": nothing is removed until that has changed");
        return news;
    }

    /** A look did. */
    void answered() {
        List<String> news;
        synchronized (this) {
            news = why.isEmpty() ? newsOfCalm() : newsOfEnd();
            why = "";
            told = "";
        }
        news.forEach(listener::warn);
    }

    @GuardedBy("this")
    private List<String> newsOfCalm() {
        return untold > 0 && mayTell() ? newsOfUntold() : List.of();
    }

    @GuardedBy("this")
    private List<String> newsOfEnd() {
        if (told.isEmpty()) {
            untold++;
            return List.of();
        }
        double seconds = (clocks.monotonicNanos() - sinceNanos) / 1e9;
        return List.of(String.format(
                Locale.ROOT, "the volume %s is there again after %.1f s; before: %s", volume, seconds, why));
    }

    /** What was passed over, as a list to add to. */
    @GuardedBy("this")
    private List<String> newsOfUntold() {
        List<String> news = new ArrayList<>();
        if (untold > 0) {
            news.add("the volume " + volume + " comes and goes: it was away " + untold
                    + " more times, for a short while each, since that was last told");
            untold = 0;
        }
        return news;
    }

    /** Whether the minute that goes on has room for something to tell; begins the next one where it is over. */
    @GuardedBy("this")
    private boolean mayTell() {
        long now = clocks.monotonicNanos();
        if (toldInSpan == 0 || now - spanNanos >= SPAN_NANOS) {
            spanNanos = now;
            toldInSpan = 0;
        }
        return toldInSpan < TOLD_MAX;
    }

    /** Why the last look did not succeed; empty when it did. */
    synchronized String why() {
        return why;
    }
}
