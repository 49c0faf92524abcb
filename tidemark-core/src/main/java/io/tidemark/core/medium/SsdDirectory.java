package io.tidemark.core.medium;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** The files of an SSD medium, and the lock that keeps a second process out of them. */
final class SsdDirectory implements AutoCloseable {
    /**
     * By device: directories of one file system get their sizes one after the other. A call that finds no room holds what it
     * got for a moment, and another one would size itself by the rest.
     */
    private static final Map<Long, ReentrantLock> SIZING = new ConcurrentHashMap<>();

    /** A device that hangs holds up another directory on it for so long at most. */
    private static final long SIZING_SECONDS_MAX = 10;

    private static final System.Logger LOG = System.getLogger(SsdDirectory.class.getName());
    private static final String[] CHECKPOINTS = {"checkpoint-0", "checkpoint-1"};
    private static final String[] JOURNALS = {"journal-0", "journal-1"};
    private static final String SLAB = "slab";
    private static final String LOCK = "lock";

    private final Sys sys;
    private final int lockFd;
    private final String lockPath;
    /** Open only so that its name can be watched: without it the next start leaves the directory alone. */
    private final int identityFd;

    private final String identityPath;
    /** The file system takes no writes: what is there is served, and nothing changes. */
    final boolean readOnly;

    final FrameFile[] checkpoints;
    final FrameFile[] journals;
    final Slab slab;
    private volatile SsdIdentity identity;

    private SsdDirectory(
            Sys sys, Lock lock, SsdIdentity identity, SsdOptions options, SsdLayout layout, DeviceHealth health)
            throws IOException {
        this.sys = sys;
        this.identity = identity;
        lockFd = lock.fd();
        lockPath = options.directory().resolve(LOCK).toString();
        readOnly = lock.readOnly();
        int flags = readOnly ? Sys.O_RDONLY : Sys.O_RDWR | Sys.O_CREAT;
        Path directory = options.directory();
        checkpoints = new FrameFile[CHECKPOINTS.length];
        journals = new FrameFile[JOURNALS.length];
        identityPath = SsdIdentity.path(directory);
        identityFd = sys.openat(Sys.AT_FDCWD, identityPath, Sys.O_RDONLY, 0);
        boolean complete = false;
        try {
            for (int i = 0; i < journals.length; i++) {
                String checkpoint = directory.resolve(CHECKPOINTS[i]).toString();
                String journal = directory.resolve(JOURNALS[i]).toString();
                checkpoints[i] = new FrameFile(
                        sys,
                        checkpoint,
                        flags,
                        FrameFile.Kind.CHECKPOINT,
                        layout.checkpointBytes(),
                        options.pageBytes());
                journals[i] = new FrameFile(
                        sys, journal, flags, FrameFile.Kind.JOURNAL, layout.journalBytes(), options.pageBytes());
            }
            slab = new Slab(sys, directory.resolve(SLAB).toString(), flags, health);
            complete = true;
        } finally {
            if (!complete) {
                closeFiles();
                sys.close(identityFd);
            }
        }
    }

    private void closeFiles() throws IOException {
        for (FrameFile[] files : new FrameFile[][] {checkpoints, journals}) {
            for (FrameFile file : files) {
                if (file != null) { // where the opening of another one failed
                    file.close();
                }
            }
        }
    }

    /**
     * Locks and opens the directory, making what is missing. Sizes of files that are there do not change.
     *
     * @param empty what is there is thrown away
     * @throws LeftAloneException when it is not ours
     * @throws IOException when another process holds it, or the files cannot be opened
     */
    static SsdDirectory open(Sys sys, SsdOptions options, SsdLayout layout, DeviceHealth health, boolean empty)
            throws IOException {
        Path directory = options.directory();
        if (!Files.isDirectory(directory)) {
            make(sys, directory);
        }
        if (!options.fresh()) {
            judge(options, SsdIdentity.read(sys, directory)); // before the lock: a foreign one is not even locked
        }
        Lock lock = lock(sys, options);
        try {
            SsdIdentity identity = begin(sys, lock, options, empty);
            return new SsdDirectory(sys, lock, identity, options, layout, health);
        } catch (IOException | RuntimeException | Error e) {
            sys.close(lock.fd());
            if (lock.readOnly() && isMissing(e)) {
                throw nothingToServe(directory);
            }
            throw e;
        }
    }

    private static SsdOwner.Claim judge(SsdOptions options, Optional<SsdIdentity> found) throws IOException {
        SsdOwner.Claim claim = found.map(options.owner()::judge).orElse(SsdOwner.Claim.KEEP);
        if (claim == SsdOwner.Claim.FOREIGN) {
            throw new LeftAloneException(
                    options.directory() + " was last used by the server of another state directory ("
                            + found.orElseThrow().state()
                            + "): its blocks are neither served nor thrown away; give that state directory, or discard the"
                            + " blocks with --fresh");
        }
        return claim;
    }

    /** Under the lock: throws away what is void, and says whose the directory is. */
    private static SsdIdentity begin(Sys sys, Lock lock, SsdOptions options, boolean empty) throws IOException {
        Path directory = options.directory();
        if (!options.fresh()) {
            Optional<SsdIdentity> found = SsdIdentity.read(sys, directory);
            boolean isVoid = judge(options, found) == SsdOwner.Claim.EMPTY || empty;
            if (found.isPresent() && !isVoid) {
                return found.get();
            }
            // Of an unknown version, or of pages of another size, it is refused as ever.
            boolean isUsed = holdsFiles(sys, options);
            if (lock.readOnly()) {
                throw found.isEmpty()
                        ? nothingToServe(directory)
                        : new LeftAloneException(directory + " is on a read-only file system and cannot begin empty;"
                                + " what lies there missed what was discarded meanwhile");
            }
            if (found.isPresent()) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0}: {1} begins empty: what was discarded since its last use is not recorded there",
                        options.name(),
                        directory);
            }
            if (found.isEmpty() && isUsed) {
                throw new LeftAloneException(directory + " holds files of blocks and does not say whose: expected the"
                        + " file identity beside them; discard them with --fresh");
            }
        }
        // First, so that a kill between the two leaves nothing that looks like blocks of somebody else.
        SsdIdentity made = SsdIdentity.ofNew(options.owner());
        made.write(sys, directory);
        discard(sys, directory);
        return made;
    }

    /** Whether the directory is more than a name; fails where its files are not what this build and these options know. */
    private static boolean holdsFiles(Sys sys, SsdOptions options) throws IOException {
        boolean some = length(sys, options.directory().resolve(SLAB)) > 0;
        for (int i = 0; i < JOURNALS.length; i++) {
            some |= isKnown(sys, options, JOURNALS[i], FrameFile.Kind.JOURNAL);
            some |= isKnown(sys, options, CHECKPOINTS[i], FrameFile.Kind.CHECKPOINT);
        }
        return some;
    }

    private static boolean isKnown(Sys sys, SsdOptions options, String name, FrameFile.Kind kind) throws IOException {
        Path path = options.directory().resolve(name);
        if (length(sys, path) == 0) {
            return false;
        }
        try (FrameFile file = new FrameFile(sys, path.toString(), Sys.O_RDONLY, kind, 0, options.pageBytes())) {
            file.readHeader();
        }
        return true;
    }

    private static long length(Sys sys, Path path) throws SysException {
        try {
            return sys.statx(Sys.AT_FDCWD, path.toString(), 0).lengthBytes();
        } catch (SysException e) {
            if (isMissing(e)) {
                return 0;
            }
            throw e;
        }
    }

    SsdIdentity identity() {
        return identity;
    }

    /** From here on the directory is this owner's. */
    void claim(SsdOwner owner, Path directory) throws IOException {
        SsdIdentity ours = new SsdIdentity(identity.directory(), owner.state());
        if (!readOnly && !ours.equals(identity)) {
            ours.write(sys, directory);
            identity = ours;
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

    private static boolean isMissing(Throwable e) {
        return e instanceof SysException failed && failed.errno() == Errno.ENOENT;
    }

    private static IOException nothingToServe(Path directory) {
        return new IOException(directory + " is on a read-only file system and holds no blocks of an earlier process");
    }

    private record Lock(int fd, boolean readOnly) {}

    /** The open files, by the names that the next start will look for, and the lock that keeps a second process out. */
    List<NameWatch.NamedFile> named() {
        return Stream.concat(
                        Stream.of(
                                slab.named(),
                                new NameWatch.NamedFile(lockFd, lockPath),
                                new NameWatch.NamedFile(identityFd, identityPath)),
                        Stream.of(journals, checkpoints).flatMap(Stream::of).map(FrameFile::named))
                .toList();
    }

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
            throw isMissing(e) ? nothingToServe(directory) : e;
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
        closeFiles();
        slab.close();
        sys.close(identityFd);
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
        ReentrantLock sizing = SIZING.computeIfAbsent(slab.device(), device -> new ReentrantLock());
        boolean alone = isInTime(sizing);
        try {
            grow();
            return slab.size(plan, options.pageBytes(), () -> 1 + sizing.getQueueLength());
        } finally {
            if (alone) {
                sizing.unlock();
            }
        }
    }

    private static boolean isInTime(ReentrantLock sizing) throws IOException {
        try {
            return sizing.tryLock(SIZING_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while another directory was given its size", e);
        }
    }
}
