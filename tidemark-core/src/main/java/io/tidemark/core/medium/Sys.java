package io.tidemark.core.medium;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * System calls, one method each, under the kernel's names: the thin layer that media do their memory and file work
 * through, so that tests can make any call fail, fall short, wait or hang. A failed call throws {@link SysException}
 * with the kernel's error number. Calls that a signal interrupts are made again.
 */
public interface Sys {
    /** Directory descriptor of {@link #openat} and its kin that stands for the working directory. */
    int AT_FDCWD = -100;
    /** {@link #statx}: do not follow a link in the last component. */
    int AT_SYMLINK_NOFOLLOW = 0x100;
    /** {@link #statx} with an empty path: the file of the descriptor itself. */
    int AT_EMPTY_PATH = 0x1000;
    /** {@link #unlinkat}: remove a directory. */
    int AT_REMOVEDIR = 0x200;

    int O_RDONLY = 0;
    int O_WRONLY = 1;
    int O_RDWR = 2;
    int O_CREAT = 0x40;
    int O_EXCL = 0x80;
    int O_TRUNC = 0x200;
    int O_DIRECT = 0x4000;
    int O_DIRECTORY = 0x10000;
    int O_NOFOLLOW = 0x20000;
    int O_CLOEXEC = 0x80000;

    int PROT_READ = 1;
    int PROT_WRITE = 2;
    int MAP_PRIVATE = 2;
    int MAP_ANONYMOUS = 0x20;
    int MAP_NORESERVE = 0x4000;

    int MADV_HUGEPAGE = 14;
    /** Makes the pages of the range present and writable. */
    int MADV_POPULATE_WRITE = 23;

    /** {@link #fallocate}: give the blocks of a range back; the length stays. */
    int FALLOC_PUNCH_HOLE = 1 | 2;

    /** Pieces of one {@link #pwritev}. */
    int PIECES_MAX = 1024;

    /** {@link #flock}: exclusive, and fail with EAGAIN where another holds it. */
    int LOCK_EX_NB = 2 | 4;

    /** Maps memory. The answer covers {@code bytes} and is valid until {@link #munmap}. */
    MemorySegment mmap(long bytes, int protection, int flags, int fd, long offset) throws SysException;

    /** Takes a mapping away; nobody may touch it from here on. */
    void munmap(MemorySegment mapping) throws SysException;

    /** Advises the kernel on a range of mapped memory. */
    void madvise(MemorySegment range, int advice) throws SysException;

    /** Opens a file; the answer is a descriptor. {@code mode}: rights of a file that this call creates. */
    int openat(int dirFd, String path, int flags, int mode) throws SysException;

    /** Closes a descriptor. */
    void close(int fd) throws SysException;

    /** Reads at {@code offset} and answers how many bytes came: fewer than asked is legal, 0 is the end of the file. */
    long pread(int fd, MemorySegment target, long offset) throws SysException;

    /** Writes at {@code offset} and answers how many bytes went: fewer than asked is legal. */
    long pwrite(int fd, MemorySegment source, long offset) throws SysException;

    /** As {@link #pwrite}, of several pieces one behind the other; at most {@value #PIECES_MAX}. */
    long pwritev(int fd, List<MemorySegment> sources, long offset) throws SysException;

    /** Allocates the blocks of a range of a file. */
    void fallocate(int fd, int mode, long offset, long bytes) throws SysException;

    /** Sets the length of a file. */
    void ftruncate(int fd, long bytes) throws SysException;

    /** Makes the data of a file durable. */
    void fdatasync(int fd) throws SysException;

    /** Makes all of a file durable; of a directory, its names. */
    void fsync(int fd) throws SysException;

    /** Locks a whole file, see {@link #LOCK_EX_NB}; the lock ends with the descriptor. */
    void flock(int fd, int operation) throws SysException;

    /** Removes a name. */
    void unlinkat(int dirFd, String path, int flags) throws SysException;

    /** Gives a file another name, and takes it from whatever had that. */
    void renameat(int dirFd, String path, int newDirFd, String newPath) throws SysException;

    /** Facts of a file. */
    FileFacts statx(int dirFd, String path, int flags) throws SysException;

    /** Facts of the file system that holds an open file. */
    VolumeFacts fstatvfs(int fd) throws SysException;

    /** Sets the mask of file modes, which is the whole process's; answers the one before. Cannot fail. */
    int umask(int mask);

    /**
     * Facts of a file.
     *
     * @param mode type and rights, as in {@code st_mode}
     * @param device number of the device that holds it, major in the high 32 bits
     * @param allocatedBytes bytes of its blocks
     */
    record FileFacts(
            int mode,
            int owner,
            long links,
            long inode,
            long device,
            long lengthBytes,
            long allocatedBytes,
            long accessedNanos,
            long modifiedNanos) {
        private static final int TYPE_MASK = 0xf000;

        /** Whether it is a directory. */
        public boolean isDirectory() {
            return (mode & TYPE_MASK) == 0x4000;
        }

        /** Whether it is a regular file. */
        public boolean isFile() {
            return (mode & TYPE_MASK) == 0x8000;
        }
    }

    /**
     * Space and inodes of a file system.
     *
     * @param availableBytes what an unprivileged process may still use; the rest of {@code freeBytes} is reserved
     */
    record VolumeFacts(
            long totalBytes, long freeBytes, long availableBytes, long inodes, long freeInodes, boolean readOnly) {}
}
