package io.tidemark.server.doctor;

import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.medium.Sys;
import io.tidemark.core.medium.SysException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * Tries on a file of its own, which it removes, what an SSD tier does on its files.
 *
 * @param direct whether direct I/O works
 * @param allocates whether space can be taken before it is written
 * @param syncMillis how long a written page takes to be on the device
 * @param availableBytes space that is free for this user
 * @param device number of the device below
 */
record DeviceProbe(boolean direct, boolean allocates, long syncMillis, long availableBytes, long device) {
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
            boolean allocates = allocates(sys, fd);
            long syncMillis = Long.MAX_VALUE; // the least: the first call of a JVM takes its time to be linked
            for (int round = 0; round < ROUNDS; round++) {
                long started = System.nanoTime();
                sys.pwrite(fd, page, 0);
                sys.fdatasync(fd);
                syncMillis = Math.min(syncMillis, (System.nanoTime() - started) / 1_000_000);
            }
            return new DeviceProbe(
                    direct(sys, file, page),
                    allocates,
                    syncMillis,
                    sys.fstatvfs(fd).availableBytes(),
                    sys.statx(Sys.AT_FDCWD, file, 0).device());
        } finally {
            sys.unlinkat(Sys.AT_FDCWD, file, 0);
            sys.close(fd);
        }
    }

    private static boolean allocates(Sys sys, int fd) {
        try {
            sys.fallocate(fd, 0, 0, ALLOCATED_BYTES);
            return true;
        } catch (SysException _) {
            return false;
        }
    }

    private static boolean direct(Sys sys, String file, MemorySegment page) {
        try {
            int fd = sys.openat(Sys.AT_FDCWD, file, Sys.O_RDWR | Sys.O_DIRECT | Sys.O_CLOEXEC, MODE);
            try {
                boolean written = sys.pwrite(fd, page, 0) == PAGE_BYTES;
                page.fill((byte) 0);
                return written
                        && sys.pread(fd, page, 0) == PAGE_BYTES
                        && page.get(ValueLayout.JAVA_BYTE, PAGE_BYTES - 1) == PATTERN;
            } finally {
                sys.close(fd);
            }
        } catch (SysException _) {
            return false;
        }
    }
}
