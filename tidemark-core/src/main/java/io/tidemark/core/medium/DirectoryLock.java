package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * The lock of the directory of an SSD medium: from here to the {@link #close} nobody else uses it, of another process or of
 * this one. The kernel gives the lock of a dead process free, so a stale file never keeps anyone out.
 */
final class DirectoryLock implements AutoCloseable {
    private static final String FILE = "lock";
    private static final FileId NO_FILE = new FileId(0, 0);

    /** Those that this process holds: the kernel does not say who does, and the number of a process is one in its own container. */
    private static final Map<FileId, DirectoryLock> HELD = new ConcurrentHashMap<>();

    private final Sys sys;
    private final Path path;
    private final int fd;
    /** Whether the file system takes no writes. */
    private final boolean readOnly;

    private FileId file = NO_FILE;
    /** Closes what a call of this process kept from being closed, if that has come back; empty: nothing is put off. */
    private volatile Optional<BooleanSupplier> late = Optional.empty();

    /** Written out what a record has by itself: that would be a class made at run time, in every start (ADR 10). */
    private record FileId(long device, long inode) {
        @Override
        public boolean equals(Object other) {
            return other instanceof FileId file && file.device == device && file.inode == inode;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(device) * 31 + Long.hashCode(inode);
        }
    }

    private DirectoryLock(Sys sys, Path path, int fd, boolean readOnly) {
        this.sys = sys;
        this.path = path;
        this.fd = fd;
        this.readOnly = readOnly;
    }

    /** Where the lock of a directory is. */
    static Path path(Path directory) {
        return directory.resolve(FILE);
    }

    /**
     * Looks, without a try to lock it, whether somebody uses a directory.
     *
     * @throws LeftAloneException when one does that can be seen from here; says who
     */
    static void requireNoHolder(Path directory) throws LeftAloneException {
        OptionalLong holder = LockTable.holder(path(directory));
        if (holder.isPresent()) {
            long pid = holder.getAsLong();
            throw new LeftAloneException(
                    pid == ProcessHandle.current().pid() ? heldByUs(directory) : heldByOther(directory, "pid " + pid));
        }
    }

    /**
     * Locks a directory that is there.
     *
     * @throws IOException when somebody else holds it, or it cannot be locked; says who
     */
    static DirectoryLock take(Sys sys, SsdOptions options) throws IOException {
        DirectoryLock lock = open(sys, options.directory());
        try {
            lock.hold(options);
            return lock;
        } catch (IOException | RuntimeException | Error e) {
            Closing.behind(e, lock::close);
            throw e;
        }
    }

    private static DirectoryLock open(Sys sys, Path directory) throws IOException {
        Path path = path(directory);
        try {
            int fd = sys.openat(Sys.AT_FDCWD, path.toString(), Sys.O_RDWR | Sys.O_CREAT, 0600);
            return new DirectoryLock(sys, path, fd, false);
        } catch (SysException e) {
            if (e.errno() != Errno.EROFS) {
                throw e;
            }
        }
        try {
            return new DirectoryLock(sys, path, sys.openat(Sys.AT_FDCWD, path.toString(), Sys.O_RDONLY, 0), true);
        } catch (SysException e) {
            throw e.errno() == Errno.ENOENT ? DirectoryAccess.nothingToServe(directory) : e;
        }
    }

    private void hold(SsdOptions options) throws IOException {
        Sys.FileFacts facts = sys.statx(fd, "", Sys.AT_EMPTY_PATH);
        file = new FileId(facts.device(), facts.inode());
        lockAlone(options);
        HELD.put(file, this);
        if (!readOnly) {
            writePid();
        }
    }

    private void lockAlone(SsdOptions options) throws IOException {
        Optional<SysException> held = tryLock();
        if (held.isEmpty()) {
            return;
        }
        Optional<DirectoryLock> ours = Optional.ofNullable(HELD.get(file));
        // free by now, unless the one who closes it late is still at that
        if (ours.isEmpty() || !ours.get().isFreeNow() || tryLock().isPresent()) {
            throw new IOException(options.name() + ": " + holder(ours, options.directory()), held.get());
        }
    }

    /** Locks the file; what the kernel says where somebody else has. */
    private Optional<SysException> tryLock() throws SysException {
        try {
            sys.flock(fd, Sys.LOCK_EX_NB);
            return Optional.empty();
        } catch (SysException e) {
            if (e.errno() != Errno.EAGAIN) {
                throw e;
            }
            return Optional.of(e);
        }
    }

    private String holder(Optional<DirectoryLock> ours, Path directory) throws IOException {
        if (ours.isEmpty()) {
            return heldByOther(directory, Files.readString(path).strip());
        }
        return ours.get().late.isPresent()
                ? "a call of this process to the files in " + directory
                        + " still hangs; they are closed, and can be opened again, once it has come back"
                : heldByUs(directory);
    }

    private static String heldByOther(Path directory, String who) {
        return directory + " is in use by another process (" + who + ")";
    }

    private static String heldByUs(Path directory) {
        return directory + " is in use by this process already";
    }

    private void writePid() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            byte[] text = ("pid " + ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
            MemorySegment line = arena.allocate(text.length);
            line.copyFrom(MemorySegment.ofArray(text));
            sys.ftruncate(fd, 0);
            SysFiles.writeFully(sys, fd, line, 0);
        }
    }

    /**
     * The close is put off: a call of this process has not come back. Who wants the directory meanwhile is told so.
     *
     * @param closesNow tries to close everything, and says whether that is done; waits a moment at most
     */
    void putOff(BooleanSupplier closesNow) {
        late = Optional.of(closesNow);
    }

    private boolean isFreeNow() {
        return late.isPresent() && late.get().getAsBoolean();
    }

    /** Whether the file system takes no writes. */
    boolean readOnly() {
        return readOnly;
    }

    /** The lock, by the name that keeps a second process out. */
    NameWatch.NamedFile named() {
        return new NameWatch.NamedFile(fd, path.toString());
    }

    @Override
    public void close() throws IOException {
        try {
            sys.close(fd);
        } finally {
            HELD.remove(file, this); // not before: who finds the file locked is to find us
        }
    }
}
