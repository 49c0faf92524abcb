package io.tidemark.core.medium;

import java.lang.foreign.MemorySegment;

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
