package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Folders that may be empty, each with the moment from which it may go. Bounded: what does not fit is found again by the
 * next walk. All wait the same time, so that the queue is in order of due moments. Guarded by itself.
 */
final class FolderQueue {
    /**
     * A folder of a rank directory, or the rank directory itself.
     *
     * @param path below the rank directory, its bytes as Latin-1; empty for itself
     */
    record Folder(RankDir rank, String path) {
        /** The folder around it; for the rank directory, itself. */
        Folder parent() {
            int slash = path.lastIndexOf('/');
            return new Folder(rank, slash < 0 ? "" : path.substring(0, slash));
        }

        boolean isRank() {
            return path.isEmpty();
        }
    }

    private record Waiting(Folder folder, long dueNanos) {}

    private final Clocks clocks;
    private final int capacity;
    private final long waitNanos;

    @GuardedBy("this")
    private final Deque<Waiting> queue = new ArrayDeque<>();

    @GuardedBy("this")
    private final Set<Folder> members = new LinkedHashSet<>();

    /**
     * An empty queue.
     *
     * @param waitNanos how long a folder has to be left alone
     */
    FolderQueue(Clocks clocks, int capacity, long waitNanos) {
        this.clocks = clocks;
        this.capacity = capacity;
        this.waitNanos = waitNanos;
    }

    /** Puts a folder; false when it is there already or there is no room. */
    synchronized boolean offer(Folder folder) {
        if (queue.size() >= capacity || !members.add(folder)) {
            return false;
        }
        queue.add(new Waiting(folder, clocks.monotonicNanos() + waitNanos));
        return true;
    }

    /** The next folder whose time has come; empty when there is none. */
    synchronized Optional<Folder> poll() {
        Waiting first = queue.peek();
        if (first == null || clocks.monotonicNanos() - first.dueNanos() < 0) {
            return Optional.empty();
        }
        queue.remove();
        members.remove(first.folder());
        return Optional.of(first.folder());
    }

    synchronized int size() {
        return queue.size();
    }
}
