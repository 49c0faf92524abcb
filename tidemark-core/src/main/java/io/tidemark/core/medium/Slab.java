package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** The file that holds the bytes of all blocks of an SSD medium: direct I/O where the file system has it. */
final class Slab implements AutoCloseable {
    /** Alignment of offsets, lengths and addresses that direct I/O takes everywhere. */
    static final int ALIGN = 4096;

    private static final System.Logger LOG = System.getLogger(Slab.class.getName());

    private final Sys sys;
    private final String path;
    private final int fd;
    private final DeviceHealth health;

    Slab(Sys sys, String path, DeviceHealth health) throws IOException {
        this.sys = sys;
        this.path = path;
        this.health = health;
        fd = open(sys, path);
    }

    private static int open(Sys sys, String path) throws SysException {
        int flags = Sys.O_RDWR | Sys.O_CREAT;
        try {
            return sys.openat(Sys.AT_FDCWD, path, flags | Sys.O_DIRECT, 0600);
        } catch (SysException e) {
            if (e.errno() != Errno.EINVAL) {
                throw e;
            }
            LOG.log(System.Logger.Level.WARNING, "{0}: no direct I/O here, the page cache takes part", path);
            return sys.openat(Sys.AT_FDCWD, path, flags, 0600);
        }
    }

    /**
     * Gives the slab its size, or what of it the file system has room for.
     *
     * @return bytes that are there
     */
    long size(long bytes, int pageBytes) throws IOException {
        try {
            SysFiles.allocate(sys, fd, bytes);
            return bytes;
        } catch (SysException e) {
            if (e.errno() != Errno.ENOSPC) {
                throw e;
            }
            return sizeToWhatIsThere(bytes, pageBytes);
        }
    }

    private long sizeToWhatIsThere(long wanted, int pageBytes) throws IOException {
        sys.ftruncate(fd, 0);
        long usable = sys.fstatvfs(fd).availableBytes() * 15 / 16 / pageBytes * pageBytes;
        long bytes = Math.min(wanted, usable);
        LOG.log(
                System.Logger.Level.WARNING,
                "{0}: room for {1} of {2} bytes only, the rest stays out of use",
                path,
                bytes,
                wanted);
        if (bytes > 0) {
            SysFiles.allocate(sys, fd, bytes);
        }
        return bytes;
    }

    /** Reads one piece; offset, size and address are aligned. */
    void read(long offset, MemorySegment target) throws IOException {
        long token = health.begin();
        try {
            long done = 0;
            while (done < target.byteSize()) {
                long step = sys.pread(fd, target.asSlice(done), offset + done);
                if (step < ALIGN && done + step < target.byteSize()) {
                    throw new CorruptBlockException(path + " ends at " + (offset + done + step) + ", within a block");
                }
                done = alignDown(done + step);
            }
            health.succeeded();
        } catch (SysException e) {
            health.failed(e);
            throw e;
        } finally {
            health.end(token);
        }
    }

    /** Writes one piece; offset, size and address are aligned. */
    void write(long offset, MemorySegment source) throws IOException {
        long token = health.begin();
        try {
            long done = 0;
            while (done < source.byteSize()) {
                long step = sys.pwrite(fd, source.asSlice(done), offset + done);
                if (step < ALIGN) {
                    throw new SysException("pwrite", Errno.EIO, path + " at " + (offset + done) + ": wrote " + step);
                }
                done = alignDown(done + step);
            }
            health.succeeded();
        } catch (SysException e) {
            health.failed(e);
            throw e;
        } finally {
            health.end(token);
        }
    }

    @Override
    public void close() throws IOException {
        sys.close(fd);
    }

    static long alignDown(long value) {
        return value / ALIGN * ALIGN;
    }

    static long alignUp(long value) {
        return Math.ceilDiv(value, (long) ALIGN) * ALIGN;
    }
}
