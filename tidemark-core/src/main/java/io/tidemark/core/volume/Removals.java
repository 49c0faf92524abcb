package io.tidemark.core.volume;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.Reclaimable.Freed;
import io.tidemark.core.medium.Reclaimable.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps the books of what goes: grant, counts, counters, events, and the folder that may be empty now.
 *
 * <p>Called by every deleter; thread-safe through its parts.
 */
final class Removals {
    private final Layout layout;
    private final DeletionGrant grant;
    private final GoneFiles files;
    private final VolumeCounters counters;
    private final FolderQueue folders;
    private final RateLimit rate;
    private final RefusedFiles refused;
    private final VolumeListener listener;
    private final LongAdder gone = new LongAdder();

    Removals(
            Layout layout,
            DeletionGrant grant,
            GoneFiles files,
            VolumeCounters counters,
            FolderQueue folders,
            RateLimit rate,
            RefusedFiles refused,
            VolumeListener listener) {
        this.layout = layout;
        this.grant = grant;
        this.files = files;
        this.counters = counters;
        this.folders = folders;
        this.rate = rate;
        this.refused = refused;
        this.listener = listener;
    }

    /**
     * Counts a file against the grant, right before it goes.
     *
     * @return for {@link #stays}
     */
    long goes(VolumeFile file, long bytes) {
        return file.cause() == RemovalCause.CAPACITY ? grant.take(bytes) : 0;
    }

    /** Puts back into the grant what {@link #goes} took for a file that did not go after all. */
    void stays(VolumeFile file, long taken, long bytes) {
        if (file.cause() == RemovalCause.CAPACITY) {
            grant.putBack(taken, bytes);
        }
    }

    /** Books what a free came to; what was freed has left the grant before. */
    void settled(VolumeFile file, Freed freed) {
        if (freed.outcome() == Outcome.GONE) {
            files.forget(file, false);
        }
        if (freed.outcome() != Outcome.FREED) {
            return;
        }
        went();
        String model = layout.model(file.name()).orElse(file.rank().modelLabel());
        counters.removed(model, file.cause(), freed.bytes());
        files.forget(file, true);
        if (file.cause() != RemovalCause.ORPHAN) {
            listener.removed(file.rank(), layout.hash(file.name()), freed.bytes(), file.recencySeconds());
        }
    }

    /** Counts a file that went, in earnest or rehearsed. */
    void went() {
        rate.used();
        gone.increment();
    }

    /** Takes note of a folder, given below its rank directory, out of which files went: it may be empty now. */
    void emptied(RankDir rank, byte[] folder) {
        if (folder.length > 0) {
            folders.offer(new FolderQueue.Folder(rank, new String(folder, StandardCharsets.ISO_8859_1)));
        }
    }

    /** Files that went since the start, in earnest or rehearsed. */
    long gone() {
        return gone.sum();
    }

    void skipped(String reason) {
        counters.skipped(reason);
    }

    /** Books a file that could not be removed. */
    void refused(VolumeFile file, int errno) {
        counters.skipped(Errno.name(errno));
        refused.add(file, errno);
    }
}
