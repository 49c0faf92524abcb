package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.Locale;
import java.util.Optional;

/**
 * The time in which no look at the volume succeeds, and why: told when it begins, when the reason changes, and when it ends. Looks come
 * from activator and deleters. Guarded by itself; the listener is told without the lock.
 */
final class Outage {
    private final String volume;
    private final VolumeListener listener;
    private final Clocks clocks;

    @GuardedBy("this")
    private String why = "";

    @GuardedBy("this")
    private long sinceNanos;

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
        boolean news;
        synchronized (this) {
            news = !reason.equals(why);
            if (why.isEmpty()) {
                sinceNanos = clocks.monotonicNanos();
            }
            why = reason;
        }
        if (news) {
            listener.warn(reason + ": nothing is removed until that has changed");
        }
    }

    /** A look did. */
    void answered() {
        Optional<String> news;
        synchronized (this) {
            news = why.isEmpty()
                    ? Optional.empty()
                    : Optional.of(String.format(
                            Locale.ROOT,
                            "the volume %s is there again after %.1f s; before: %s",
                            volume,
                            (clocks.monotonicNanos() - sinceNanos) / 1e9,
                            why));
            why = "";
        }
        news.ifPresent(listener::warn);
    }

    /** Why the last look did not succeed; empty when it did. */
    synchronized String why() {
        return why;
    }
}
