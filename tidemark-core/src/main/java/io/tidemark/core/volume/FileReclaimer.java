package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.Reclaimable;
import io.tidemark.core.medium.StatxBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Removes files, each looked at again right before: a regular file, on the cache's own device, reached without a link,
 * used no later than was seen. Gone already is what is not there, or whose folder is not; what cannot be removed is counted and
 * left. What the volume refuses for the moment ends the batch, and is kept to be tried again ({@link VolumeRefusals}). Keeps
 * the last directory open between files; {@link #rest} closes it. One thread.
 */
final class FileReclaimer implements Reclaimable<VolumeFile> {
    private static final int NOTHING_OPEN = -1;
    private static final int NAME_BYTES_MAX = 4096;

    private final DirectoryCalls calls;
    private final VolumeRoot root;
    private final LastUse lastUse;
    private final Removals removals;
    private final VolumeRefusals refusals;
    private final BooleanSupplier stopping;
    private final Consumer<VolumeFile> settled;
    private final Consumer<VolumeFile> kept;
    private final MemorySegment facts = StatxBuffer.allocate();
    private final MemorySegment name = Arena.ofAuto().allocate(NAME_BYTES_MAX);

    private int cache = NOTHING_OPEN;
    private long device;
    private int directory = NOTHING_OPEN;
    /** One of the files of the open directory. */
    private Optional<VolumeFile> directoryFile = Optional.empty();

    private boolean emptied;

    /**
     * A reclaimer.
     *
     * @param stopping whether the sweeper has been told to stop: nothing goes from then on
     * @param settled told about each file that has been dealt with
     * @param kept told about each file that failed for what the volume refuses
     */
    FileReclaimer(
            CacheTree tree,
            LastUse lastUse,
            Removals removals,
            VolumeRefusals refusals,
            BooleanSupplier stopping,
            Consumer<VolumeFile> settled,
            Consumer<VolumeFile> kept) {
        this.calls = tree.calls();
        this.root = tree.root();
        this.lastUse = lastUse;
        this.removals = removals;
        this.refusals = refusals;
        this.stopping = stopping;
        this.settled = settled;
        this.kept = kept;
    }

    @Override
    public Freed free(VolumeFile file) {
        if (refusals.endsBatch()) {
            return Freed.HELD; // untried: it goes on waiting where it is
        }
        Freed freed = remove(file);
        if (refusals.keeps(file)) {
            rest(); // what is open may be what fails
            kept.accept(file);
        } else {
            removals.settled(file, freed);
            settled.accept(file);
        }
        return freed;
    }

    private Freed remove(VolumeFile file) {
        int opened = openDirectory(file);
        if (opened < 0) {
            return failed(file, VolumeRefusals.Failing.FOLDER, opened);
        }
        int length = file.path().length - file.nameStart();
        MemorySegment.copy(file.path(), file.nameStart(), name, ValueLayout.JAVA_BYTE, 0, length);
        name.set(ValueLayout.JAVA_BYTE, length, (byte) 0);
        int result = calls.statNow(opened, name, 0, facts);
        if (result < 0) {
            return failed(file, VolumeRefusals.Failing.LOOK, result);
        }
        if (stopping.getAsBoolean() || !mayGo(file)) {
            refusals.answered(file);
            return Freed.HELD;
        }
        boolean lastName = StatxBuffer.links(facts) == 1;
        long bytesFreed = lastName ? StatxBuffer.allocatedBytes(facts) : 0;
        long taken = removals.goes(file, bytesFreed);
        result = calls.unlink(opened, name, 0);
        if (result < 0) {
            removals.stays(file, taken, bytesFreed);
            return failed(file, VolumeRefusals.Failing.REMOVAL, result);
        }
        refusals.removed(file);
        emptied = true;
        return new Freed(Outcome.FREED, bytesFreed);
    }

    private boolean mayGo(VolumeFile file) {
        if (!StatxBuffer.isRegular(facts) || StatxBuffer.device(facts) != device) {
            removals.skipped("not_ours");
            return false;
        }
        long used = file.cause() == RemovalCause.ORPHAN
                ? StatxBuffer.modifiedSeconds(facts)
                : lastUse.seconds(file.rank(), file.name(), facts);
        if (used > file.recencySeconds()) {
            removals.skipped("hot_again");
            return false;
        }
        return true;
    }

    private Freed failed(VolumeFile file, VolumeRefusals.Failing what, int result) {
        int errno = -result;
        boolean isKnown = cache >= 0; // without the cache nothing is known of the file
        if (isKnown && isAbsence(errno)) {
            removals.skipped("gone");
            refusals.answered(file);
            return Freed.GONE;
        }
        if (isKnown && VolumeRefusals.isOfFile(errno)) {
            refusals.answered(file);
            removals.refused(file, errno);
        } else if (refusals.failed(file, what, errno)) {
            removals.skipped(Errno.name(errno));
        } else {
            removals.refused(file, errno);
        }
        return Freed.FAILED;
    }

    /**
     * Whether an error says that the file is not there: neither it nor, where its folder was to be opened, that folder, which takes
     * its files with it; nor can it be where a name on its way is no folder any more.
     */
    private static boolean isAbsence(int errno) {
        return errno == Errno.ENOENT || errno == Errno.ENOTDIR;
    }

    private int openDirectory(VolumeFile file) {
        if (directory >= 0 && directoryFile.isPresent() && directoryFile.get().isBeside(file)) {
            return directory;
        }
        closeDirectory();
        if (cache < 0) {
            cache = root.openCache();
            if (cache < 0) {
                return cache;
            }
            device = root.device(cache);
            if (device < 0) {
                int error = (int) device;
                rest();
                return error;
            }
        }
        byte[] path = file.directory();
        byte[] full = path.length == 0
                ? file.rank().path()
                : RankFinder.join(file.rank().path(), path);
        MemorySegment.copy(full, 0, name, ValueLayout.JAVA_BYTE, 0, full.length);
        name.set(ValueLayout.JAVA_BYTE, full.length, (byte) 0);
        directory = full.length == 0 ? root.openCache() : calls.openBelow(cache, name, 0);
        directoryFile = Optional.of(file);
        return directory;
    }

    /**
     * Whether the path still leads to the cache that is open: what was moved away, to be kept, is not to be swept in its
     * new place. If it does not, everything is closed. Where the volume does not say, everything is too, and a file will tell what
     * is wrong. To be asked before each batch.
     */
    boolean isStillThere() {
        if (cache < 0) {
            return true;
        }
        int found = root.openCache();
        if (found < 0) {
            rest();
            return !isAbsence(-found) && !VolumeRefusals.isOfFile(-found);
        }
        long foundDevice = root.device(found);
        long foundInode = root.inode(found);
        long openInode = root.inode(cache);
        calls.close(found);
        boolean isKnown = foundDevice >= 0 && foundInode >= 0 && openInode >= 0;
        boolean same = device == foundDevice && openInode == foundInode;
        if (!isKnown || !same) {
            rest();
        }
        return !isKnown || same;
    }

    private void closeDirectory() {
        if (directory >= 0) {
            calls.close(directory);
        }
        directory = NOTHING_OPEN;
        if (emptied) {
            directoryFile.ifPresent(file -> removals.emptied(file.rank(), file.directory()));
        }
        emptied = false;
    }

    /** Closes what is open, so that the volume can be unmounted. */
    void rest() {
        closeDirectory();
        if (cache >= 0) {
            calls.close(cache);
        }
        cache = NOTHING_OPEN;
    }
}
