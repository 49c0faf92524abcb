package io.tidemark.core.volume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.tidemark.core.pool.Clocks;
import java.util.concurrent.TimeUnit;

/**
 * The right to free: so many bytes and files, until a moment. Given by the activator, used up by the deleters. It is
 * never raised while it lasts to what a fresh measurement says, only lowered, so that what a file system gives back
 * late is not freed twice; and it ends by itself, so that deletion stops when the activator does.
 *
 * <p>A file is taken out before it is unlinked and put back if it stays. So what is unlinked is missing here before any
 * measurement can miss it there, and {@link #lower} never counts a file twice that another deleter is just removing.
 *
 * <p>Guarded by itself.
 */
final class DeletionGrant {
    private final Clocks clocks;

    /** Below zero when the last file was larger than what was left. */
    @GuardedBy("this")
    private long bytes;

    @GuardedBy("this")
    private long files;

    /** Number of the right that lasts, so that nothing is put back into a later one. */
    @GuardedBy("this")
    private long number;

    /** When the right was last given, used, or seen open; what is freed after that is not owed to it. */
    @GuardedBy("this")
    private long busyNanos;

    @GuardedBy("this")
    private long endNanos;

    DeletionGrant(Clocks clocks) {
        this.clocks = clocks;
        this.endNanos = clocks.monotonicNanos();
        this.busyNanos = endNanos;
    }

    /** Gives a new right in place of the one before. */
    synchronized void give(long newBytes, long newFiles, long lastsNanos) {
        bytes = newBytes;
        files = newFiles;
        number++;
        busyNanos = clocks.monotonicNanos();
        endNanos = busyNanos + lastsNanos;
        notifyAll();
    }

    /** Waits until a right is given or made larger, {@code millis} at most. */
    synchronized void awaitGiven(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.timedWait(this, millis);
    }

    /** Adds to the right what turns out to belong to it. */
    synchronized void add(long moreBytes, long moreFiles, long lastsNanos) {
        if (lasts()) {
            bytes += Math.max(0, moreBytes);
            files += Math.max(0, moreFiles);
            notifyAll();
        } else {
            give(Math.max(0, moreBytes), Math.max(0, moreFiles), lastsNanos);
        }
    }

    /** Lets the right last longer. */
    synchronized void confirm(long lastsNanos) {
        endNanos = clocks.monotonicNanos() + lastsNanos;
    }

    /** Lowers the right to what is needed now. */
    synchronized void lower(long neededBytes, long neededFiles) {
        if (open()) {
            busyNanos = clocks.monotonicNanos();
        }
        bytes = Math.min(bytes, neededBytes);
        files = Math.min(files, neededFiles);
    }

    /**
     * Counts one file against the right; right before it is freed.
     *
     * @return the number of the right, for {@link #putBack}
     */
    synchronized long take(long fileBytes) {
        bytes -= fileBytes;
        files--;
        busyNanos = clocks.monotonicNanos();
        return number;
    }

    /** Puts back what {@link #take} took for a file that stayed, unless the right it was taken from is over. */
    synchronized void putBack(long taken, long fileBytes) {
        if (taken == number) {
            bytes += fileBytes;
            files++;
        }
    }

    /** Takes the right back. */
    synchronized void revoke() {
        bytes = 0;
        files = 0;
        number++;
    }

    /** Time since the right was last given, used, or seen open. */
    synchronized long quietNanos() {
        return clocks.monotonicNanos() - busyNanos;
    }

    /** Whether anything may be freed now. */
    boolean open() {
        return remainingBytes() > 0 || remainingFiles() > 0;
    }

    /** Bytes that may be freed now. */
    synchronized long remainingBytes() {
        return lasts() ? Math.max(0, bytes) : 0;
    }

    /** Files that may be freed now, for the sake of inodes. */
    synchronized long remainingFiles() {
        return lasts() ? Math.max(0, files) : 0;
    }

    @GuardedBy("this")
    private boolean lasts() {
        return clocks.monotonicNanos() - endNanos < 0;
    }
}
