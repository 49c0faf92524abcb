package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Notices that nothing may be removed because of the root of the cache: it is not there, or nothing vouches for it. Says so
 * at once, again when usage comes above the mark, and every {@link #TELL_MINUTES} minutes; and as a problem for as long as it
 * lasts. Observed by the activator after each look, read by any thread. Guarded by itself; the listener is called without
 * the lock.
 */
final class RootWatch {
    private static final int TELL_MINUTES = 10;

    private final Supplier<String> reason;
    private final double mark;
    private final VolumeListener listener;
    private final Clocks clocks;
    private volatile String problem = "";

    @GuardedBy("this")
    private Told told = new Told("", false);

    @GuardedBy("this")
    private long toldNanos;

    /** What was told last, as far as it decides whether there is news. */
    private record Told(String reason, boolean above) {}

    /**
     * A watch.
     *
     * @param reason why nothing of the root may be removed; empty when it may
     * @param mark usage in percent from which files should go
     */
    RootWatch(Supplier<String> reason, double mark, VolumeListener listener, Clocks clocks) {
        this.reason = reason;
        this.mark = mark;
        this.listener = listener;
        this.clocks = clocks;
    }

    /** Takes in how full the volume is; one that does not answer is told by who asked it. */
    void observe(Optional<Usage> usage) {
        if (usage.isEmpty()) {
            return;
        }
        String why = reason.get();
        boolean above = usage.get().percent() >= mark;
        problem = why.isEmpty() || !above
                ? why
                : String.format(
                        Locale.ROOT,
                        "%s; usage %.2f %% is above the mark of %.2f %% and nothing can be removed",
                        why,
                        usage.get().percent(),
                        mark);
        if (isNews(new Told(why, above))) {
            listener.warn(problem);
        }
    }

    private synchronized boolean isNews(Told now) {
        long time = clocks.monotonicNanos();
        boolean late = time - toldNanos >= TimeUnit.MINUTES.toNanos(TELL_MINUTES);
        boolean news = !now.reason.isEmpty() && (!now.equals(told) || late);
        told = now;
        if (news) {
            toldNanos = time;
        }
        return news;
    }

    /** Why nothing of the root may be removed; empty when it may. */
    String problem() {
        return problem;
    }
}
