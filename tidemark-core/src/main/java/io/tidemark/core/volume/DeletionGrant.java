package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;

/**
 * The right to free: so many bytes and files, until a moment. Given by the activator, used up by the deleters. It is
 * never raised while it lasts, only lowered to what a fresh measurement says, so that what a file system gives back
 * late is not freed twice; and it ends by itself, so that deletion stops when the activator does.
 *
 * <p>Guarded by itself.
 */
final class DeletionGrant {
    private final Clocks clocks;

    @GuardedBy("this")
    private long bytes;

    @GuardedBy("this")
    private long files;

    @GuardedBy("this")
    private long endNanos;

    DeletionGrant(Clocks clocks) {
        this.clocks = clocks;
        this.endNanos = clocks.monotonicNanos();
    }

    /** Gives a new right in place of the one before. */
    synchronized void give(long newBytes, long newFiles, long lastsNanos) {
        bytes = newBytes;
        files = newFiles;
        endNanos = clocks.monotonicNanos() + lastsNanos;
    }

    /** Lets the right last longer and lowers it to what is needed now. */
    synchronized void confirm(long neededBytes, long neededFiles, long lastsNanos) {
        lower(neededBytes, neededFiles);
        endNanos = clocks.monotonicNanos() + lastsNanos;
    }

    /** Lowers the right to what is needed now. */
    synchronized void lower(long neededBytes, long neededFiles) {
        bytes = Math.min(bytes, neededBytes);
        files = Math.min(files, neededFiles);
    }

    /** Counts one freed file against the right. */
    synchronized void used(long freedBytes) {
        bytes = Math.max(0, bytes - freedBytes);
        files = Math.max(0, files - 1);
    }

    /** Takes the right back. */
    synchronized void revoke() {
        bytes = 0;
        files = 0;
    }

    /** Whether anything may be freed now. */
    boolean open() {
        return remainingBytes() > 0 || remainingFiles() > 0;
    }

    /** Bytes that may be freed now. */
    synchronized long remainingBytes() {
        return lasts() ? bytes : 0;
    }

    /** Files that may be freed now, for the sake of inodes. */
    synchronized long remainingFiles() {
        return lasts() ? files : 0;
    }

    @GuardedBy("this")
    private boolean lasts() {
        return clocks.monotonicNanos() - endNanos < 0;
    }
}
