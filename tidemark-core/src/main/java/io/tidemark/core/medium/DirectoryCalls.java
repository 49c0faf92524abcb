package io.tidemark.core.medium;

import java.lang.foreign.MemorySegment;

/**
 * The system calls a directory walk needs, each relative to an open directory and none following a link.
 *
 * <p>Thin on purpose: a call answers what the kernel answers, a value of 0 or more, or the negated error number
 * (see {@link Errno}). Names are bytes that end with a zero byte, taken in place from a buffer (so that a name read by
 * {@link #readEntries} goes back to the kernel without a copy and without ever being decoded). The caller owns the
 * descriptors it opens. Implementations may be called from many threads.
 */
public interface DirectoryCalls {
    /** Opens the directory at an absolute path, links in the path followed; descriptor or negated error. */
    int openRoot(MemorySegment path);

    /**
     * Opens a directory below another one. No component may be a link, leave the directory or lie on another
     * device (ELOOP, EXDEV).
     *
     * @param path relative, may have several components
     */
    int openBelow(int directory, MemorySegment path, long offset);

    int close(int descriptor);

    /**
     * Reads directory entries in the kernel's {@code linux_dirent64} form: bytes filled, 0 at the end, or negated
     * error.
     */
    int readEntries(int directory, MemorySegment buffer);

    /** Reads what is known about an entry into a {@link StatxBuffer} segment; a link is described, not followed. */
    int stat(int directory, MemorySegment name, long offset, MemorySegment facts);

    /** As {@link #stat}, but as the server of a network file system has it, not as this client has kept it. */
    int statNow(int directory, MemorySegment name, long offset, MemorySegment facts);

    /** Removes a file (or a link itself). */
    int unlink(int directory, MemorySegment name, long offset);

    /** Removes an empty directory. */
    int removeDirectory(int directory, MemorySegment name, long offset);

    /** Reads the state of the file system that holds an open directory into a {@link StatvfsBuffer} segment. */
    int space(int directory, MemorySegment facts);
}
