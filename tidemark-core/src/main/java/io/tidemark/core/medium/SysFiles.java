package io.tidemark.core.medium;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Whole reads and writes over calls that may fall short. */
public final class SysFiles {
    private SysFiles() {}

    /** Writes all bytes. */
    public static void writeFully(Sys sys, int fd, MemorySegment source, long offset) throws SysException {
        long done = 0;
        while (done < source.byteSize()) {
            long step = sys.pwrite(fd, source.asSlice(done), offset + done);
            if (step == 0) {
                throw new SysException("pwrite", Errno.EIO, fd + " at " + (offset + done) + ": nothing was written");
            }
            done += step;
        }
    }

    /** Reads to the end of the target or of the file; answers how many bytes came. */
    static long readUpTo(Sys sys, int fd, MemorySegment target, long offset) throws SysException {
        long done = 0;
        while (done < target.byteSize()) {
            long step = sys.pread(fd, target.asSlice(done), offset + done);
            if (step == 0) {
                break;
            }
            done += step;
        }
        return done;
    }

    /**
     * All bytes of a small file.
     *
     * @throws SysException when it cannot be read, or has more bytes
     */
    public static byte[] readAll(Sys sys, String path, int bytesMax) throws SysException {
        int fd = sys.openat(Sys.AT_FDCWD, path, Sys.O_RDONLY, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(bytesMax + 1L);
            long length = readUpTo(sys, fd, bytes, 0);
            if (length > bytesMax) {
                throw new SysException("pread", Errno.EFBIG, path + ", which has more than " + bytesMax + " bytes");
            }
            return bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        } finally {
            sys.close(fd);
        }
    }

    /** Gives a file its size and blocks; on file systems without that, its size only. */
    static void allocate(Sys sys, int fd, long bytes) throws SysException {
        try {
            sys.fallocate(fd, 0, 0, bytes);
        } catch (SysException e) {
            if (e.errno() != Errno.EOPNOTSUPP) {
                throw e;
            }
        }
        sys.ftruncate(fd, bytes);
    }
}
