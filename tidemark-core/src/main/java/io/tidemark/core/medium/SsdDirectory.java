package io.tidemark.core.medium;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** The open files of an SSD medium: one slab, two checkpoints, two journals; and their sizes. */
final class SsdDirectory implements AutoCloseable {
    /**
     * By device: directories of one file system get their sizes one after the other. A call that finds no room holds what it
     * got for a moment, and another one would size itself by the rest.
     */
    private static final Map<Long, ReentrantLock> SIZING = new ConcurrentHashMap<>();

    /** A device that hangs holds up another directory on it for so long at most. */
    private static final long SIZING_SECONDS_MAX = 10;

    private static final System.Logger LOG = System.getLogger(SsdDirectory.class.getName());
    static final String[] CHECKPOINTS = {"checkpoint-0", "checkpoint-1"};
    static final String[] JOURNALS = {"journal-0", "journal-1"};
    static final String SLAB = "slab";

    private final Sys sys;
    private final DirectoryAccess access;
    /** Open only so that its name can be watched: without it the next start leaves the directory alone. */
    private final int identityFd;

    private final String identityPath;
    /** The file system takes no writes: what is there is served, and nothing changes. */
    final boolean readOnly;

    final FrameFile[] checkpoints;
    final FrameFile[] journals;
    final Slab slab;

    private SsdDirectory(Sys sys, DirectoryAccess access, SsdOptions options, SsdLayout layout, DeviceHealth health)
            throws IOException {
        this.sys = sys;
        this.access = access;
        readOnly = access.readOnly();
        int flags = readOnly ? Sys.O_RDONLY : Sys.O_RDWR | Sys.O_CREAT;
        Path directory = options.directory();
        checkpoints = new FrameFile[CHECKPOINTS.length];
        journals = new FrameFile[JOURNALS.length];
        identityPath = SsdIdentity.path(directory);
        identityFd = sys.openat(Sys.AT_FDCWD, identityPath, Sys.O_RDONLY, 0);
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
        } catch (IOException | RuntimeException | Error e) {
            Closing.behind(e, () -> Closing.all(besideTheSlab()));
            throw e;
        }
    }

    private List<Closing.Open> besideTheSlab() {
        List<Closing.Open> files = new ArrayList<>();
        Stream.of(checkpoints, journals)
                .flatMap(Stream::of)
                .filter(Objects::nonNull) // where the opening of another one failed
                .forEach(file -> files.add(file::close));
        files.add(() -> sys.close(identityFd));
        return files;
    }

    /**
     * Takes the directory over and opens its files, making what is missing. Sizes of files that are there do not change.
     *
     * @param empty what is there is thrown away
     * @throws LeftAloneException when it is not ours
     * @throws IOException when another process holds it, or the files cannot be opened
     */
    static SsdDirectory open(Sys sys, SsdOptions options, SsdLayout layout, DeviceHealth health, boolean empty)
            throws IOException {
        DirectoryAccess access = DirectoryAccess.take(sys, options, empty);
        try {
            return new SsdDirectory(sys, access, options, layout, health);
        } catch (IOException | RuntimeException | Error e) {
            Closing.behind(e, access::close);
            access.requireFiles(e);
            throw e;
        }
    }

    /** Whose directory this is. */
    DirectoryAccess access() {
        return access;
    }

    /** The open files, by the names that the next start will look for, and the lock that keeps a second process out. */
    List<NameWatch.NamedFile> named() {
        return Stream.concat(
                        Stream.of(
                                slab.named(), access.lock().named(), new NameWatch.NamedFile(identityFd, identityPath)),
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
            checkpoints[other].shrink();
            journals[other].shrink();
        }
    }

    @Override
    public void close() throws IOException {
        List<Closing.Open> files = besideTheSlab();
        files.add(slab::close);
        files.add(access::close); // last, and in any case: its lock keeps the next try out
        Closing.all(files);
    }

    /** Which of the blocks that were found stay, and where there is room; gives slab and files their sizes. */
    SlabPlan plan(SsdOptions options, SsdLayout layout, Recovery.Found found) throws IOException {
        SlabPlan plan = SlabPlan.of(found, layout.slabPages(), layout.recordBytesMax());
        int dropped = found.positions().length - plan.blocks().length;
        if (dropped > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: a capacity of {1} bytes has room for {2} of the {3} blocks in {4}: the oldest {5} are dropped",
                    options.name(),
                    options.capacityBytes(),
                    plan.blocks().length,
                    found.positions().length,
                    options.directory(),
                    dropped);
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
