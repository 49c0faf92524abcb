package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The files of an SSD medium, and the lock that keeps a second process out of them. */
final class SsdDirectory implements AutoCloseable {
    private static final String[] CHECKPOINTS = {"checkpoint-0", "checkpoint-1"};
    private static final String[] JOURNALS = {"journal-0", "journal-1"};
    private static final String SLAB = "slab";
    private static final String LOCK = "lock";

    private final Sys sys;
    private final int lockFd;
    final FrameFile[] checkpoints;
    final FrameFile[] journals;
    final Slab slab;

    private SsdDirectory(Sys sys, int lockFd, FrameFile[] checkpoints, FrameFile[] journals, Slab slab) {
        this.sys = sys;
        this.lockFd = lockFd;
        this.checkpoints = checkpoints;
        this.journals = journals;
        this.slab = slab;
    }

    /**
     * Locks and opens the directory, making what is missing.
     *
     * @throws IOException when another process holds it, or the files cannot be opened
     */
    static SsdDirectory open(Sys sys, SsdOptions options, SsdLayout layout, DeviceHealth health) throws IOException {
        Path directory = options.directory();
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        int lockFd = lock(sys, options);
        try {
            if (options.fresh()) {
                discard(sys, directory);
            }
            return new SsdDirectory(
                    sys,
                    lockFd,
                    frameFiles(sys, directory, CHECKPOINTS, FrameFile.Kind.CHECKPOINT, layout.checkpointBytes()),
                    frameFiles(sys, directory, JOURNALS, FrameFile.Kind.JOURNAL, layout.journalBytes()),
                    new Slab(sys, directory.resolve(SLAB).toString(), health));
        } catch (IOException | RuntimeException e) {
            sys.close(lockFd);
            throw e;
        }
    }

    private static FrameFile[] frameFiles(Sys sys, Path directory, String[] names, FrameFile.Kind kind, long bytes)
            throws IOException {
        FrameFile[] files = new FrameFile[names.length];
        for (int i = 0; i < names.length; i++) {
            files[i] = new FrameFile(sys, directory.resolve(names[i]).toString(), kind, bytes);
        }
        return files;
    }

    /** The kernel gives the lock of a dead process free, so a stale file never keeps anyone out. */
    private static int lock(Sys sys, SsdOptions options) throws IOException {
        String path = options.directory().resolve(LOCK).toString();
        int fd = sys.openat(Sys.AT_FDCWD, path, Sys.O_RDWR | Sys.O_CREAT, 0600);
        try {
            sys.flock(fd, Sys.LOCK_EX_NB);
            try (Arena arena = Arena.ofConfined()) {
                byte[] text = ("pid " + ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
                MemorySegment line = arena.allocate(text.length);
                line.copyFrom(MemorySegment.ofArray(text));
                sys.ftruncate(fd, 0);
                SysFiles.writeFully(sys, fd, line, 0);
            }
            return fd;
        } catch (SysException e) {
            sys.close(fd);
            if (e.errno() == Errno.EAGAIN) {
                throw new IOException(
                        options.name() + ": " + options.directory() + " is in use by another process ("
                                + Files.readString(Path.of(path)).strip() + ")",
                        e);
            }
            throw e;
        }
    }

    private static void discard(Sys sys, Path directory) throws IOException {
        for (String[] names : new String[][] {CHECKPOINTS, JOURNALS, {SLAB}}) {
            for (String name : names) {
                try {
                    sys.unlinkat(Sys.AT_FDCWD, directory.resolve(name).toString(), 0);
                } catch (SysException e) {
                    if (e.errno() != Errno.ENOENT) {
                        throw e;
                    }
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (FrameFile file : checkpoints) {
            file.close();
        }
        for (FrameFile file : journals) {
            file.close();
        }
        slab.close();
        sys.close(lockFd);
    }
}
