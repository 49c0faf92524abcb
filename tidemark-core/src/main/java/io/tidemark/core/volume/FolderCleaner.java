package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.StatxBuffer;
import io.tidemark.core.pool.Clocks;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Removes folders that have been empty for a while, bottom up, up to and including the rank directory, never the root.
 *
 * <p>A writer makes a folder and then a file in it; a folder removed in between costs that writer a failure. So a folder
 * goes only when neither its content nor itself has changed for {@code ttlSeconds}, looked at right before, and its
 * parent waits as long again. The kernel refuses to remove a folder with anything in it. What is left is a writer that
 * comes back to a folder, unused for that long, within the microseconds between look and removal.
 */
final class FolderCleaner {
    private final DirectoryCalls calls;
    private final VolumeRoot root;
    private final FolderQueue queue;
    private final VolumeCounters counters;
    private final Clocks clocks;
    private final long ttlSeconds;
    private final BooleanSupplier mayRemove;
    private final MemorySegment facts = StatxBuffer.allocate();

    /**
     * A cleaner.
     *
     * @param mayRemove whether anything may be removed: the root is known to be a cache, and this is no rehearsal
     */
    FolderCleaner(
            DirectoryCalls calls,
            VolumeRoot root,
            FolderQueue queue,
            VolumeCounters counters,
            Clocks clocks,
            long ttlSeconds,
            BooleanSupplier mayRemove) {
        this.calls = calls;
        this.root = root;
        this.queue = queue;
        this.counters = counters;
        this.clocks = clocks;
        this.ttlSeconds = ttlSeconds;
        this.mayRemove = mayRemove;
    }

    /** Looks at the next folder whose time has come; false when there is none. */
    boolean step() {
        Optional<FolderQueue.Folder> next = queue.poll();
        next.filter(_ -> mayRemove.getAsBoolean()).ifPresent(this::clean);
        return next.isPresent();
    }

    private void clean(FolderQueue.Folder folder) {
        int cache = root.openCache();
        if (cache < 0) {
            counters.skipped("folder_root");
            return;
        }
        try {
            remove(cache, folder);
        } finally {
            calls.close(cache);
        }
    }

    private void remove(int cache, FolderQueue.Folder folder) {
        byte[] full = folder.isRank()
                ? folder.rank().path()
                : RankFinder.join(folder.rank().path(), folder.path().getBytes(StandardCharsets.ISO_8859_1));
        if (full.length == 0) {
            return;
        }
        int nameStart = lastSlash(full) + 1;
        MemorySegment path = RankFinder.terminated(full);
        int parent = nameStart == 0 ? cache : openParent(cache, full, nameStart);
        if (parent < 0) {
            return;
        }
        try {
            removeFrom(parent, path, nameStart, folder);
        } finally {
            if (parent != cache) {
                calls.close(parent);
            }
        }
    }

    private int openParent(int cache, byte[] full, int nameStart) {
        byte[] parent = Arrays.copyOf(full, nameStart - 1);
        return calls.openBelow(cache, RankFinder.terminated(parent), 0);
    }

    private void removeFrom(int parent, MemorySegment path, int nameStart, FolderQueue.Folder folder) {
        if (calls.statNow(parent, path, nameStart, facts) < 0 || !StatxBuffer.isDirectory(facts)) {
            return;
        }
        long now = clocks.wallMillis() / 1000;
        if (now - StatxBuffer.modifiedSeconds(facts) < ttlSeconds) {
            queue.offer(folder);
            return;
        }
        int result = calls.removeDirectory(parent, path, nameStart);
        if (result >= 0) {
            counters.folderRemoved();
            if (!folder.isRank()) {
                queue.offer(folder.parent());
            }
        } else if (result != -Errno.ENOTEMPTY && result != -Errno.EEXIST && result != -Errno.ENOENT) {
            counters.skipped("folder_" + Errno.name(-result));
        }
    }

    private static int lastSlash(byte[] path) {
        int at = path.length - 1;
        while (at >= 0 && path[at] != '/') {
            at--;
        }
        return at;
    }
}
