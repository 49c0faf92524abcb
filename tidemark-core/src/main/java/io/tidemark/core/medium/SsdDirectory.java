package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

/** The files of an SSD medium, and the lock that keeps a second process out of them. */
final class SsdDirectory implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SsdDirectory.class.getName());
    private static final String[] CHECKPOINTS = {"checkpoint-0", "checkpoint-1"};
    private static final String[] JOURNALS = {"journal-0", "journal-1"};
    private static final String SLAB = "slab";
    private static final String LOCK = "lock";

    private final Sys sys;
    private final int lockFd;
    /** The file system takes no writes: what is there is served, and nothing changes. */
    final boolean readOnly;

    final FrameFile[] checkpoints;
    final FrameFile[] journals;
    final Slab slab;

    private SsdDirectory(Sys sys, Lock lock, SsdOptions options, SsdLayout layout, DeviceHealth health)
            throws IOException {
        this.sys = sys;
        lockFd = lock.fd();
        readOnly = lock.readOnly();
        int flags = readOnly ? Sys.O_RDONLY : Sys.O_RDWR | Sys.O_CREAT;
        Path directory = options.directory();
        checkpoints = new FrameFile[CHECKPOINTS.length];
        journals = new FrameFile[JOURNALS.length];
        for (int i = 0; i < journals.length; i++) {
            String checkpoint = directory.resolve(CHECKPOINTS[i]).toString();
            String journal = directory.resolve(JOURNALS[i]).toString();
            checkpoints[i] = new FrameFile(
                    sys, checkpoint, flags, FrameFile.Kind.CHECKPOINT, layout.checkpointBytes(), options.pageBytes());
            journals[i] = new FrameFile(
                    sys, journal, flags, FrameFile.Kind.JOURNAL, layout.journalBytes(), options.pageBytes());
        }
        slab = new Slab(sys, directory.resolve(SLAB).toString(), flags, health);
    }

    /**
     * Locks and opens the directory, making what is missing. Sizes of files that are there do not change.
     *
     * @throws IOException when another process holds it, or the files cannot be opened
     */
    static SsdDirectory open(Sys sys, SsdOptions options, SsdLayout layout, DeviceHealth health) throws IOException {
        Path directory = options.directory();
        if (!Files.isDirectory(directory)) {
            make(sys, directory);
        }
        Lock lock = lock(sys, options);
        try {
            if (options.fresh()) {
                discard(sys, directory);
            }
            return new SsdDirectory(sys, lock, options, layout, health);
        } catch (IOException | RuntimeException e) {
            sys.close(lock.fd());
            if (lock.readOnly() && isMissing(e)) {
                throw nothingToServe(directory, e);
            }
            throw e;
        }
    }

    /**
     * Makes the directory, and says so: the device that belongs there may not be mounted. Those above it are never made. One
     * that is there and cannot be looked at fails with the kernel's reason.
     */
    private static void make(Sys sys, Path directory) throws IOException {
        try {
            sys.close(sys.openat(Sys.AT_FDCWD, directory.toString(), Sys.O_RDONLY, 0));
        } catch (SysException e) {
            if (!isMissing(e)) {
                throw e;
            }
            makeMissing(directory);
        }
        if (!Files.isDirectory(directory)) {
            throw new IOException("it is a file; expected a directory");
        }
    }

    private static void makeMissing(Path directory) throws IOException {
        Path above = directory.toAbsolutePath().getParent();
        if (above != null && !Files.isDirectory(above)) {
            throw new IOException(above
                    + " is not there, and only the last folder is made; is the device that belongs there mounted?");
        }
        Files.createDirectory(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        FileStore store = Files.getFileStore(directory);
        LOG.log(
                System.Logger.Level.WARNING,
                "{0} was not there, made it on the file system of {1}, {2}; see that the device that belongs there is mounted",
                directory,
                store,
                store.type());
    }

    private static boolean isMissing(Exception e) {
        return e instanceof SysException failed && failed.errno() == Errno.ENOENT;
    }

    private static IOException nothingToServe(Path directory, Exception e) {
        return new IOException(
                directory + " is on a read-only file system and holds no blocks of an earlier process", e);
    }

    private record Lock(int fd, boolean readOnly) {}

    /** Gives files that are too short their size. */
    void grow() throws IOException {
        for (int i = 0; i < journals.length; i++) {
            journals[i].grow();
            checkpoints[i].grow();
        }
    }

    /** Whether a file has more than its share, and what it holds has to be written anew. */
    boolean isTooLong() {
        return Stream.of(checkpoints, journals).flatMap(Stream::of).anyMatch(FrameFile::isTooLong);
    }

    /** Gives files that are too long their size, once the newest checkpoint is whole: its predecessor is void then. */
    void shrink(long newestEpoch) throws IOException {
        int other = (int) ((newestEpoch + 1) % 2);
        if (checkpoints[other].isTooLong() || journals[other].isTooLong()) {
            checkpoints[1 - other].sync();
            checkpoints[other].shrink();
            journals[other].shrink();
        }
    }

    /** The kernel gives the lock of a dead process free, so a stale file never keeps anyone out. */
    private static Lock lock(Sys sys, SsdOptions options) throws IOException {
        String path = options.directory().resolve(LOCK).toString();
        Lock lock = openLock(sys, options.directory());
        int fd = lock.fd();
        try {
            sys.flock(fd, Sys.LOCK_EX_NB);
            if (lock.readOnly()) {
                return lock;
            }
            try (Arena arena = Arena.ofConfined()) {
                byte[] text = ("pid " + ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
                MemorySegment line = arena.allocate(text.length);
                line.copyFrom(MemorySegment.ofArray(text));
                sys.ftruncate(fd, 0);
                SysFiles.writeFully(sys, fd, line, 0);
            }
            return lock;
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

    private static Lock openLock(Sys sys, Path directory) throws IOException {
        String path = directory.resolve(LOCK).toString();
        try {
            return new Lock(sys.openat(Sys.AT_FDCWD, path, Sys.O_RDWR | Sys.O_CREAT, 0600), false);
        } catch (SysException e) {
            if (e.errno() != Errno.EROFS) {
                throw e;
            }
        }
        try {
            return new Lock(sys.openat(Sys.AT_FDCWD, path, Sys.O_RDONLY, 0), true);
        } catch (SysException e) {
            throw isMissing(e) ? nothingToServe(directory, e) : e;
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

    /** Which of the blocks that were found stay, and where there is room; gives slab and files their sizes. */
    SlabPlan plan(SsdOptions options, SsdLayout layout, Recovery.Found found) throws IOException {
        SlabPlan plan = SlabPlan.of(found, layout.slabPages(), layout.recordBytesMax());
        int dropped = found.positions().length - plan.blocks().length;
        if (dropped > 0) {
            LOG.log(System.Logger.Level.WARNING, "{0}: no room for the {1} oldest blocks", options.name(), dropped);
        }
        if (readOnly) {
            return plan;
        }
        grow();
        return slab.size(plan, options.pageBytes());
    }
}
