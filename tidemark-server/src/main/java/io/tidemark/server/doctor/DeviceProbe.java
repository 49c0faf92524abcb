package io.tidemark.server.doctor;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Tries on a file of its own, which it removes, what an SSD tier does on its files.
 *
 * @param noDirect why direct I/O does not work; empty: it does
 * @param noAllocation why space cannot be taken before it is written; empty: it can
 * @param syncMillis how long a written page takes to be on the device
 * @param availableBytes space that is free for this user
 * @param device number of the device below
 */
record DeviceProbe(
        Optional<SysException> noDirect,
        Optional<SysException> noAllocation,
        long syncMillis,
        long availableBytes,
        long device) {
    private static final int PAGE_BYTES = 4096;
    private static final long ALLOCATED_BYTES = 1 << 20;
    private static final int MODE = 0600;
    private static final int ROUNDS = 3;
    private static final byte PATTERN = 0x5A;

    /**
     * Probes a directory that is there.
     *
     * @throws SysException when not even a plain file can be made, written, synced and read back
     */
    static DeviceProbe of(Path directory) throws SysException {
        Sys sys = NativeSys.INSTANCE;
        String file = directory
                .resolve(".tidemark-doctor-" + ProcessHandle.current().pid())
                .toString();
        int fd = sys.openat(Sys.AT_FDCWD, file, Sys.O_RDWR | Sys.O_CREAT | Sys.O_EXCL | Sys.O_CLOEXEC, MODE);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(PAGE_BYTES, PAGE_BYTES);
            page.fill(PATTERN);
            Optional<SysException> noAllocation = allocation(sys, fd);
            long syncMillis = Long.MAX_VALUE; // the least: the first call of a JVM takes its time to be linked
            for (int round = 0; round < ROUNDS; round++) {
                long started = System.nanoTime();
                sys.pwrite(fd, page, 0);
                sys.fdatasync(fd);
                syncMillis = Math.min(syncMillis, (System.nanoTime() - started) / 1_000_000);
            }
            return new DeviceProbe(
                    direct(sys, file, page),
                    noAllocation,
                    syncMillis,
                    sys.fstatvfs(fd).availableBytes(),
                    sys.statx(Sys.AT_FDCWD, file, 0).device());
        } finally {
            sys.unlinkat(Sys.AT_FDCWD, file, 0);
            sys.close(fd);
        }
    }

    private static Optional<SysException> allocation(Sys sys, int fd) {
        try {
            sys.fallocate(fd, 0, 0, ALLOCATED_BYTES);
            return Optional.empty();
        } catch (SysException e) {
            return Optional.of(e);
        }
    }

    private static Optional<SysException> direct(Sys sys, String file, MemorySegment page) {
        try {
            int fd = sys.openat(Sys.AT_FDCWD, file, Sys.O_RDWR | Sys.O_DIRECT | Sys.O_CLOEXEC, MODE);
            try {
                boolean written = sys.pwrite(fd, page, 0) == PAGE_BYTES;
                page.fill((byte) 0);
                boolean same = written
                        && sys.pread(fd, page, 0) == PAGE_BYTES
                        && page.get(ValueLayout.JAVA_BYTE, PAGE_BYTES - 1) == PATTERN;
                return same
                        ? Optional.empty()
                        : Optional.of(new SysException("pread", Errno.EIO, file + ": other bytes than were written"));
            } finally {
                sys.close(fd);
            }
        } catch (SysException e) {
            return Optional.of(e);
        }
    }
}
