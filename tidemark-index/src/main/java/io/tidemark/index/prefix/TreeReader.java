package io.tidemark.index.prefix;

import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Looks into a tree from another thread while its writer goes on: for routers and metrics. One reader belongs to one
 * thread; a tree may have any number of them.
 *
 * <p>Every answer is that of the tree between two calls of its writer, at some moment during the call. A reader takes no
 * lock, uses no node and cuts none. It reads what the writer may be changing, throws away what it read when the
 * {@link ChangeStamp} says so, and tries again, {@value #TRIES} times at most, some 50 ms; then it answers that it could not. The
 * writer pays two stores a call for it and never waits.
 */
public final class TreeReader {
    private static final int TRIES = 1_000;
    /** Tries without giving the processor away. */
    private static final int SPINS = 100;
    /** Between later tries; the kernel makes some 50 us of it. */
    private static final long PAUSE_NANOS = 1_000;

    private final ChangeStamp stamp;
    private final Matcher<?> matcher;
    private final Supplier<TreeStats> stats;
    private final Runnable beforeCheck;

    /**
     * A reader of one thread.
     *
     * @param beforeCheck run after each try, before it is checked; tests let the writer go on there
     */
    TreeReader(TreeParts<?> tree, Supplier<TreeStats> stats, Runnable beforeCheck) {
        this.stamp = tree.stamp();
        this.matcher = Matcher.reading(tree);
        this.stats = stats;
        this.beforeCheck = beforeCheck;
    }

    /**
     * What {@link PrefixTree#peek} would find. Nodes of the result may be gone by now: use its lengths.
     *
     * @param key in a namespace that the tree's writer has numbered; the numbers stay
     * @return whether there is an answer; none when the writer changed the tree during every try
     */
    public boolean match(TokenKey key, MatchResult result) {
        boolean answered = retry(() -> matcher.peek(key, result));
        if (!answered) {
            result.clear();
        }
        return answered;
    }

    /** All counts at one moment; none when the writer changed the tree during every try. */
    public Optional<TreeStats> stats() {
        TreeStats[] taken = new TreeStats[1];
        return retry(() -> taken[0] = stats.get()) ? Optional.of(taken[0]) : Optional.empty();
    }

    private boolean retry(Runnable reading) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            long seen = stamp.read();
            if (!ChangeStamp.isChanging(seen) && holdsAfter(reading, seen)) {
                return true;
            }
            if (attempt < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return false;
    }

    /** Reads; whatever goes wrong on the way means nothing when the tree changed meanwhile. */
    private boolean holdsAfter(Runnable reading, long seen) {
        try {
            reading.run();
        } catch (RuntimeException torn) {
            if (stamp.holds(seen)) {
                throw torn;
            }
            return false;
        }
        beforeCheck.run();
        return stamp.holds(seen);
    }
}
