package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Deals the pieces of a walk to the crawlers, each its own digits. A crawler that died finds the piece it was at again;
 * one that kills its crawler twice is left out of the walk, which then has not gone over all. One lock, held for list work only.
 */
final class CrawlBoard {
    private static final int TRIES_MAX = 2;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final int crawlers;

    @GuardedBy("lock")
    private final Map<Integer, Deque<ShardTask>> waiting = new HashMap<>();

    @GuardedBy("lock")
    private final Map<Integer, Held> held = new HashMap<>();

    /** Whether no piece of the walk was left out, and each was walked without an error. */
    @GuardedBy("lock")
    private boolean complete;

    /** Pieces of the walk, and those of them that are over, walked or left out. */
    @GuardedBy("lock")
    private int pieces;

    @GuardedBy("lock")
    private int over;

    private record Held(ShardTask task, int tries) {}

    CrawlBoard(int crawlers) {
        this.crawlers = crawlers;
    }

    /** The crawler that a digit belongs to: each has an equal range of the 16. */
    static int crawlerOf(int digit, int crawlers) {
        return digit * crawlers / BucketList.DIGITS;
    }

    /** Puts up a walk; the one before must be over. */
    void begin(List<ShardTask> tasks) {
        lock.lock();
        try {
            complete = true;
            pieces = tasks.size();
            over = 0;
            for (ShardTask task : tasks) {
                waiting.computeIfAbsent(crawlerOf(task.digit(), crawlers), absent -> new ArrayDeque<>())
                        .add(task);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The next piece for a crawler; waits for one for a while. */
    Optional<ShardTask> take(int crawler, long timeoutMillis) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            while (left > 0) {
                Optional<ShardTask> task = next(crawler);
                if (task.isPresent()) {
                    return task;
                }
                left = changed.awaitNanos(left);
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Optional<ShardTask> next(int crawler) {
        Held again = held.remove(crawler);
        if (again != null && again.tries < TRIES_MAX) {
            held.put(crawler, new Held(again.task, again.tries + 1));
            return Optional.of(again.task);
        }
        if (again != null) {
            complete = false;
            over++;
            changed.signalAll();
        }
        Deque<ShardTask> mine = waiting.get(crawler);
        Optional<ShardTask> task = mine == null ? Optional.empty() : Optional.ofNullable(mine.poll());
        task.ifPresent(taken -> held.put(crawler, new Held(taken, 1)));
        return task;
    }

    /**
     * Says that a crawler is done with its piece.
     *
     * @param walked whether all of it could be read
     */
    void done(int crawler, boolean walked) {
        lock.lock();
        try {
            complete &= walked;
            over++;
            held.remove(crawler);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes down what has not been started. */
    void cancel() {
        lock.lock();
        try {
            complete = false;
            waiting.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the walk to be over; false when it is not within the time. */
    boolean awaitDone(long timeoutMillis) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            while (busy()) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the walk is over and has gone over every piece, as far as could be told. */
    boolean isComplete() {
        lock.lock();
        try {
            return complete && !busy();
        } finally {
            lock.unlock();
        }
    }

    /** Share of the walk's pieces that are over; 0 before there are any. */
    double share() {
        lock.lock();
        try {
            return pieces == 0 ? 0 : (double) over / pieces;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a walk is going on. */
    boolean isBusy() {
        lock.lock();
        try {
            return busy();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean busy() {
        return !held.isEmpty() || waiting.values().stream().anyMatch(tasks -> !tasks.isEmpty());
    }
}
