package io.tidemark.core.medium;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The right to use the directory of an SSD medium: it is there, no other process has it, and what lies in it may be served or
 * was thrown away. Lasts until the {@link #close}.
 */
final class DirectoryAccess implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DirectoryAccess.class.getName());

    /** In the place of an epoch. */
    private static final long NO_FILE = -1;

    private final Sys sys;
    private final Path directory;
    private final DirectoryLock lock;
    private volatile SsdIdentity identity;

    private DirectoryAccess(Sys sys, Path directory, DirectoryLock lock, SsdIdentity identity) {
        this.sys = sys;
        this.directory = directory;
        this.lock = lock;
        this.identity = identity;
    }

    /**
     * Makes the directory if it is missing, locks it, and throws away what is void.
     *
     * @param empty what is there is thrown away
     * @throws LeftAloneException when it is not ours
     * @throws IOException when another process holds it, or it cannot be used
     */
    static DirectoryAccess take(Sys sys, SsdOptions options, boolean empty) throws IOException {
        Path directory = options.directory();
        if (!Files.isDirectory(directory)) {
            make(sys, directory);
        }
        if (!options.fresh()) {
            // before the lock is tried: a foreign one is not even locked
            judgeUnlocked(options, SsdIdentity.read(sys, directory));
        }
        DirectoryLock lock = DirectoryLock.take(sys, options);
        try {
            return new DirectoryAccess(sys, directory, lock, begin(sys, lock, options, empty));
        } catch (IOException | RuntimeException | Error e) {
            Closing.behind(e, lock::close);
            requireFiles(lock, directory, e);
            throw e;
        }
    }

    /** What the directory says of itself. */
    SsdIdentity identity() {
        return identity;
    }

    /** From here on the directory is this owner's; where the file system takes no writes, it does not say so. */
    void claim(SsdOwner owner) throws IOException {
        SsdIdentity ours = new SsdIdentity(identity.directory(), owner.state());
        if (!readOnly() && !ours.equals(identity)) {
            ours.write(sys, directory);
            identity = ours;
        }
    }

    /** Whether the file system takes no writes: what is there is served, and nothing changes. */
    boolean readOnly() {
        return lock.readOnly();
    }

    /** What keeps everybody else out until the close. */
    DirectoryLock lock() {
        return lock;
    }

    /** Says it better where files could not be opened because they are missing and cannot be made. */
    void requireFiles(Throwable failure) throws IOException {
        requireFiles(lock, directory, failure);
    }

    private static void requireFiles(DirectoryLock lock, Path directory, Throwable failure) throws IOException {
        if (lock.readOnly() && isMissing(failure)) {
            throw nothingToServe(directory);
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    /** Without the lock: what is to be done with a directory that nobody uses is no advice for one that a live server uses. */
    private static SsdOwner.Claim judgeUnlocked(SsdOptions options, Optional<SsdIdentity> found) throws IOException {
        if (claim(options, found) == SsdOwner.Claim.FOREIGN) {
            DirectoryLock.requireNoHolder(options.directory());
        }
        return judge(options, found);
    }

    private static SsdOwner.Claim judge(SsdOptions options, Optional<SsdIdentity> found) throws LeftAloneException {
        SsdOwner.Claim claim = claim(options, found);
        if (claim == SsdOwner.Claim.FOREIGN) {
            throw foreign(options, found.orElseThrow());
        }
        return claim;
    }

    private static SsdOwner.Claim claim(SsdOptions options, Optional<SsdIdentity> found) {
        return found.map(options.owner()::judge).orElse(SsdOwner.Claim.KEEP);
    }

    private static LeftAloneException foreign(SsdOptions options, SsdIdentity found) {
        Path directory = options.directory();
        String whose = options.owner()
                .stateDirOf(directory, found)
                .map(stateDir -> stateDir + ", by its id ")
                .orElse("its id is ");
        return new LeftAloneException(directory + " was last used by the server of another state directory (" + whose
                + found.state() + " in the file " + SsdIdentity.path(directory)
                + "): its blocks are neither served nor thrown away; give that state directory, or discard the"
                + " blocks with --fresh");
    }

    /** Under the lock: throws away what is void, and says whose the directory is. */
    private static SsdIdentity begin(Sys sys, DirectoryLock lock, SsdOptions options, boolean empty)
            throws IOException {
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
                throw ownerless(sys, directory);
            }
        }
        // First, so that a kill between the two leaves nothing that looks like blocks of somebody else.
        SsdIdentity made = SsdIdentity.ofNew(options.owner());
        made.write(sys, directory);
        discard(sys, directory);
        return made;
    }

    private static LeftAloneException ownerless(Sys sys, Path directory) throws SysException {
        String identity = isThere(sys, Path.of(SsdIdentity.path(directory)))
                ? "its file identity is empty"
                : "expected the file identity beside them";
        return new LeftAloneException(directory + " holds files of blocks and does not say whose: " + identity
                + "; put that file back, or discard the blocks with --fresh");
    }

    /** What {@link #take} would come to, with nothing locked, made or thrown away. */
    static SsdProspect.Opens look(Sys sys, SsdOptions options) throws IOException {
        Optional<SsdIdentity> found = SsdIdentity.read(sys, options.directory());
        SsdOwner.Claim claim = judgeUnlocked(options, found);
        boolean isUsed = holdsFiles(sys, options);
        requireWritable(sys, options.directory());
        if (found.isEmpty() && isUsed) {
            throw ownerless(sys, options.directory());
        }
        if (claim == SsdOwner.Claim.EMPTY) {
            return new SsdProspect.Opens(
                    found, List.of("begins empty: what was discarded since its last use is not recorded there"));
        }
        return new SsdProspect.Opens(found, missing(sys, options));
    }

    /** Fails where a file that is there cannot be opened as a start opens it. */
    private static void requireWritable(Sys sys, Path directory) throws SysException {
        List<Path> files =
                new ArrayList<>(List.of(DirectoryLock.path(directory), directory.resolve(SsdDirectory.SLAB)));
        Stream.of(SsdDirectory.JOURNALS, SsdDirectory.CHECKPOINTS)
                .flatMap(Stream::of)
                .forEach(name -> files.add(directory.resolve(name)));
        for (Path file : files) {
            try {
                sys.close(sys.openat(Sys.AT_FDCWD, file.toString(), Sys.O_RDWR, 0));
            } catch (SysException e) {
                if (!isMissing(e) && e.errno() != Errno.EROFS) {
                    throw e;
                }
            }
        }
    }

    /** Files that are gone from beside others that speak of blocks. */
    private static List<String> missing(Sys sys, SsdOptions options) throws IOException {
        Path directory = options.directory();
        List<String> missing = new ArrayList<>();
        boolean speaks = false;
        for (int i = 0; i < SsdDirectory.JOURNALS.length; i++) {
            String journal = SsdDirectory.JOURNALS[i];
            String checkpoint = SsdDirectory.CHECKPOINTS[i];
            speaks |= epoch(sys, options, journal, FrameFile.Kind.JOURNAL) > 0;
            speaks |= epoch(sys, options, checkpoint, FrameFile.Kind.CHECKPOINT) > 0;
            for (String name : List.of(journal, checkpoint)) {
                if (length(sys, directory.resolve(name)) == 0) {
                    missing.add("the file " + name + " is missing or empty: blocks that it spoke of are dropped");
                }
            }
        }
        if (length(sys, directory.resolve(SsdDirectory.SLAB)) == 0) {
            missing.add("the file slab is missing or empty: the blocks that were in it are dropped");
        }
        return speaks ? missing : List.of();
    }

    /** Whether the directory is more than a name; fails where its files are not what this build and these options know. */
    private static boolean holdsFiles(Sys sys, SsdOptions options) throws IOException {
        boolean some = length(sys, options.directory().resolve(SsdDirectory.SLAB)) > 0;
        for (int i = 0; i < SsdDirectory.JOURNALS.length; i++) {
            some |= epoch(sys, options, SsdDirectory.JOURNALS[i], FrameFile.Kind.JOURNAL) != NO_FILE;
            some |= epoch(sys, options, SsdDirectory.CHECKPOINTS[i], FrameFile.Kind.CHECKPOINT) != NO_FILE;
        }
        return some;
    }

    /** What the file says; 0: nothing, {@value #NO_FILE}: it is missing or empty. */
    private static long epoch(Sys sys, SsdOptions options, String name, FrameFile.Kind kind) throws IOException {
        Path path = options.directory().resolve(name);
        if (length(sys, path) == 0) {
            return NO_FILE;
        }
        try (FrameFile file = new FrameFile(sys, path.toString(), Sys.O_RDONLY, kind, 0, options.pageBytes())) {
            return file.readHeader().epoch();
        }
    }

    private static boolean isThere(Sys sys, Path path) throws SysException {
        try {
            sys.statx(Sys.AT_FDCWD, path.toString(), 0);
            return true;
        } catch (SysException e) {
            if (isMissing(e)) {
                return false;
            }
            throw e;
        }
    }

    private static long length(Sys sys, Path path) throws SysException {
        return isThere(sys, path) ? sys.statx(Sys.AT_FDCWD, path.toString(), 0).lengthBytes() : 0;
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

    private static void discard(Sys sys, Path directory) throws IOException {
        for (String[] names : new String[][] {SsdDirectory.CHECKPOINTS, SsdDirectory.JOURNALS, {SsdDirectory.SLAB}}) {
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

    private static boolean isMissing(Throwable e) {
        return e instanceof SysException failed && failed.errno() == Errno.ENOENT;
    }

    static IOException nothingToServe(Path directory) {
        return new IOException(directory + " is on a read-only file system and holds no blocks of an earlier process");
    }
}
