package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.pool.Clocks;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Folders of the cache that walks could not read, and what may lie in them.
 *
 * <p>Before some walk has gone over everything nothing is known of such a folder: its files may all be colder than those that
 * have been counted, which would go in their place. So what is in use and has not been counted is taken for colder than all
 * that has, which leaves so much less that may go: until a walk has read everything, for {@link #MINUTES} minutes at
 * most, because what cannot be read for that long cannot be removed either (ADR 30). Later a folder that cannot be read
 * counts as it was before.
 *
 * <p>Guarded by itself, a leaf; nobody is warned under it.
 */
final class UnreadFolders {
    /** How long what is in them is reckoned with, and how often they are told. */
    static final int MINUTES = 10;

    private final Consumer<String> warn;
    private final Clocks clocks;

    /** Of the walk going on, and of the one before. */
    @GuardedBy("this")
    private Met met = Met.NONE;

    @GuardedBy("this")
    private Met metBefore = Met.NONE;

    /** Whether some walk has gone over everything. */
    @GuardedBy("this")
    private boolean allRead;

    /** When the first of those was met that still could not be read. */
    @GuardedBy("this")
    private long sinceNanos;

    @GuardedBy("this")
    private Optional<Long> toldNanos = Optional.empty();

    /** As much as there can be, until it is known. */
    @GuardedBy("this")
    private Uncounted uncounted = new Uncounted(Double.MAX_VALUE, Double.MAX_VALUE);

    /** What is in use and has not been counted. */
    record Uncounted(double bytes, double files) {
        static final Uncounted NOTHING = new Uncounted(0, 0);
    }

    /** How many folders one walk could not read, and the first of them with its error. */
    private record Met(int folders, String first) {
        static final Met NONE = new Met(0, "");
    }

    /**
     * None yet.
     *
     * @param warn told of them at the end of a walk, every {@link #MINUTES} minutes
     */
    UnreadFolders(Consumer<String> warn, Clocks clocks) {
        this.warn = warn;
        this.clocks = clocks;
    }

    /** Takes note of a folder, given below the root of the cache, that could not be read, or in part only. */
    void add(String folder, int errno) {
        add((folder.isEmpty() ? "." : folder) + " (" + Errno.name(errno) + ")");
    }

    /** Takes note of folders that a search did not come to. */
    synchronized void add(String what) {
        if (met.folders == 0 && metBefore.folders == 0) {
            sinceNanos = clocks.monotonicNanos();
        }
        met = new Met(met.folders + 1, met.folders == 0 ? what : met.first);
    }

    /**
     * A walk has ended.
     *
     * @param all whether it has gone over everything
     */
    void walkEnded(boolean all) {
        boolean news;
        synchronized (this) {
            allRead |= all;
            metBefore = met;
            met = Met.NONE;
            news = metBefore.folders > 0 && (toldNanos.isEmpty() || isLong(toldNanos.get()));
            if (news) {
                toldNanos = Optional.of(clocks.monotonicNanos());
            }
        }
        if (news) {
            warn.accept("cannot read " + text() + ": "
                    + (areUnknown()
                            ? "nothing is known of what lies there, so that less of the rest may go until it can be read"
                            : "what was known of it counts on"));
        }
    }

    /** Compares what is in use with what has been counted of it, both at this moment. */
    synchronized void account(Usage usage, double share, Estimate counted) {
        uncounted = new Uncounted(
                Math.max(0, usage.usedBytes() * share - counted.totalBytes()),
                Math.max(0, usage.usedInodes() * share - counted.files()));
    }

    /** What may lie in folders of which nothing is known, colder than all that is counted. */
    synchronized Uncounted uncounted() {
        return areUnknown() ? uncounted : Uncounted.NOTHING;
    }

    /** Whether there are such folders, and not for too long yet. */
    synchronized boolean areUnknown() {
        return !allRead && met.folders + metBefore.folders > 0 && !isLong(sinceNanos);
    }

    @GuardedBy("this")
    private boolean isLong(long nanos) {
        return clocks.monotonicNanos() - nanos >= TimeUnit.MINUTES.toNanos(MINUTES);
    }

    /** Number of folders that the last walk could not read. */
    synchronized int count() {
        return metBefore.folders;
    }

    /** The first with its error, for people, and how many more there are. */
    synchronized String text() {
        Met last = metBefore.folders > 0 ? metBefore : met;
        return last.folders > 1 ? last.first + " and " + (last.folders - 1) + " more" : last.first;
    }
}
