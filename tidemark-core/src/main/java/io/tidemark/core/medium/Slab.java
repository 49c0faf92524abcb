package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** The file that holds the bytes of all blocks of an SSD medium: direct I/O where the file system has it. */
final class Slab implements AutoCloseable {
    /** Alignment of offsets, lengths and addresses that direct I/O takes everywhere. */
    static final int ALIGN = 4096;

    /** What one call gives back to the file system at most. */
    private static final long GIVE_BACK_BYTES = 1L << 30;

    private static final System.Logger LOG = System.getLogger(Slab.class.getName());

    private final Sys sys;
    private final String path;
    private final int fd;
    private final DeviceHealth health;
    private final ReadsFirst turns = new ReadsFirst(System::nanoTime);

    /** Opens the file as it is; {@code flags} say whether it is made when missing. */
    Slab(Sys sys, String path, int flags, DeviceHealth health) throws IOException {
        this.sys = sys;
        this.path = path;
        this.health = health;
        fd = open(sys, path, flags);
    }

    private static int open(Sys sys, String path, int flags) throws SysException {
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

    /** See {@link HurriedWrites#hurryWhile}. */
    void hurryWhile(BooleanSupplier wanted) {
        turns.hurryWhile(wanted);
    }

    /** What the next start will look for. */
    NameWatch.NamedFile named() {
        return new NameWatch.NamedFile(fd, path);
    }

    /** Bytes of the file. */
    long lengthBytes() throws SysException {
        return sys.statx(Sys.AT_FDCWD, path, 0).lengthBytes();
    }

    /** Number of the device that its file system is on. */
    long device() throws SysException {
        return sys.statx(Sys.AT_FDCWD, path, 0).device();
    }

    /**
     * Gives the slab the size of a plan, and its free pages blocks of the file system; where that has too little room, some
     * of them.
     *
     * @param sharers directories that want room there now, this one included: they get about the same where it is too little
     * @return the plan that came of it
     */
    SlabPlan size(SlabPlan plan, int pageBytes, IntSupplier sharers) throws IOException {
        long wanted = (long) plan.pages() * pageBytes;
        if (plan.isScattered()) {
            sys.ftruncate(fd, wanted);
            return backScattered(plan, pageBytes);
        }
        long before = lengthBytes();
        try {
            SysFiles.allocate(sys, fd, wanted);
            return plan;
        } catch (SysException e) {
            if (!Errno.isFull(e.errno())) {
                throw e;
            }
            sys.ftruncate(fd, Math.min(before, wanted)); // gives back what the failed call took
            return sizeToWhatIsThere(plan, Math.min(before, wanted), wanted, pageBytes, sharers.getAsInt());
        }
    }

    private SlabPlan sizeToWhatIsThere(SlabPlan plan, long before, long wanted, int pageBytes, int sharers)
            throws IOException {
        long more = sys.fstatvfs(fd).availableBytes() * 15 / 16 / sharers;
        long bytes = Math.min(wanted, before + more) / pageBytes * pageBytes;
        LOG.log(
                System.Logger.Level.WARNING,
                "{0}: room for {1} of {2} bytes only, the rest stays out of use",
                path,
                bytes,
                wanted);
        if (bytes > before) {
            sys.fallocate(fd, 0, before, bytes - before);
        }
        sys.ftruncate(fd, bytes);
        return plan.endingAt((int) (bytes / pageBytes));
    }

    private SlabPlan backScattered(SlabPlan plan, int pageBytes) throws IOException {
        int[] free = plan.free();
        for (int i = 0; i < free.length; i += 2) {
            try {
                sys.fallocate(fd, 0, (long) free[i] * pageBytes, (long) free[i + 1] * pageBytes);
            } catch (SysException e) {
                if (!Errno.isFull(e.errno())) {
                    throw e;
                }
                return plan.endingAt(free[i]);
            }
        }
        return plan;
    }

    /** Gives pages back to the file system, in steps none of which looks like a hang; they read as zeros. */
    void giveBack(int firstPage, int pages, int pageBytes) throws IOException {
        long end = (long) (firstPage + pages) * pageBytes;
        for (long at = (long) firstPage * pageBytes; at < end; at += GIVE_BACK_BYTES) {
            long token = health.begin();
            try {
                sys.fallocate(fd, Sys.FALLOC_PUNCH_HOLE, at, Math.min(GIVE_BACK_BYTES, end - at));
            } finally {
                health.end(token);
            }
        }
    }

    /** Reads something, so that the health of the device shows. */
    void probe() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            read(0, arena.allocate(ALIGN, ALIGN));
        }
    }

    /** Reads one piece; offset, size and address are aligned. */
    void read(long offset, MemorySegment target) throws IOException {
        long token = health.begin();
        turns.readBegins(target.byteSize());
        try {
            long done = 0;
            while (done < target.byteSize()) {
                long step = sys.pread(fd, target.asSlice(done), offset + done);
                health.succeeded(DeviceHealth.Way.READ);
                if (step < ALIGN && done + step < target.byteSize()) {
                    throw new CorruptBlockException(path + " ends at " + (offset + done + step) + ", within a block");
                }
                done = alignDown(done + step);
            }
        } catch (SysException e) {
            health.failed(DeviceHealth.Way.READ, e);
            throw e;
        } finally {
            turns.readEnds(target.byteSize());
            health.end(token);
        }
    }

    /** Writes one piece; offset, size and address are aligned. */
    void write(long offset, MemorySegment source) throws IOException {
        long done = 0;
        while (done < source.byteSize()) {
            long at = offset + done;
            MemorySegment rest = source.asSlice(done, Math.min(source.byteSize() - done, turns.callBytesMax()));
            long step = made(() -> {
                long wrote = sys.pwrite(fd, rest, at);
                if (wrote < ALIGN) {
                    throw new SysException("pwrite", Errno.EIO, path + " at " + at + ": wrote " + wrote);
                }
                return wrote;
            });
            done = alignDown(done + step);
        }
    }

    /** Bytes that {@link #write(long, List)} should be given at most. */
    long gatheredBytesMax() {
        return turns.callBytesMax();
    }

    /** A call that writes; answers how many bytes went. */
    private interface Write {
        long run() throws SysException;
    }

    private long made(Write write) throws IOException {
        long token = health.begin();
        try {
            long wrote = write.run();
            health.succeeded(DeviceHealth.Way.WRITE);
            return wrote;
        } catch (SysException e) {
            health.failed(DeviceHealth.Way.WRITE, e);
            throw e;
        } finally {
            health.end(token);
        }
    }

    /** Calls of one writer. */
    interface Writes {
        void run() throws IOException;
    }

    /** Makes calls that write, some MiB at most, when reads let them. The wait is none of the device's time. */
    void inTurn(Writes writes) throws IOException {
        turns.turnBegins();
        try {
            writes.run();
        } finally {
            turns.turnEnds();
        }
    }

    /** As {@link #write(long, MemorySegment)}, of pieces that go one behind the other, {@link Sys#PIECES_MAX} at most. */
    void write(long offset, List<MemorySegment> sources) throws IOException {
        long bytes = sources.stream().mapToLong(MemorySegment::byteSize).sum();
        long done = alignDown(made(() -> sys.pwritev(fd, sources, offset)));
        if (done < bytes) {
            writeRest(offset, sources, done);
        }
    }

    /** What a gathering write left, piece by piece. */
    private void writeRest(long offset, List<MemorySegment> sources, long done) throws IOException {
        long at = 0;
        for (MemorySegment source : sources) {
            long written = Math.clamp(done - at, 0, source.byteSize());
            if (written < source.byteSize()) {
                write(offset + at + written, source.asSlice(written));
            }
            at += source.byteSize();
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
