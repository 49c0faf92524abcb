package io.tidemark.core.volume;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.Reclaimable;
import io.tidemark.core.medium.StatxBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Removes files, each looked at again right before: a regular file, on the cache's own device, reached without a link,
 * used no later than was seen. What is gone already is gone; what cannot be removed is counted and left. Keeps the last
 * directory open between files; {@link #rest} closes it. One thread.
 */
final class FileReclaimer implements Reclaimable<VolumeFile> {
    private static final Set<Integer> GONE = Set.of(Errno.ENOENT, Errno.ESTALE, Errno.ENOTDIR);
    private static final int NOTHING_OPEN = -1;
    private static final int NAME_BYTES_MAX = 4096;

    private final DirectoryCalls calls;
    private final VolumeRoot root;
    private final RecencyRule recencyRule;
    private final Touches touches;
    private final Layout layout;
    private final Removals removals;
    private final BooleanSupplier stopping;
    private final Consumer<VolumeFile> settled;
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
     */
    FileReclaimer(
            CacheTree tree,
            RecencyRule recencyRule,
            Touches touches,
            Removals removals,
            BooleanSupplier stopping,
            Consumer<VolumeFile> settled) {
        this.calls = tree.calls();
        this.root = tree.root();
        this.layout = tree.layout();
        this.recencyRule = recencyRule;
        this.touches = touches;
        this.removals = removals;
        this.stopping = stopping;
        this.settled = settled;
    }

    @Override
    public Freed free(VolumeFile file) {
        Freed freed = remove(file);
        removals.settled(file, freed);
        settled.accept(file);
        return freed;
    }

    private Freed remove(VolumeFile file) {
        int opened = openDirectory(file);
        if (opened < 0) {
            return failed(file, opened);
        }
        int length = file.path().length - file.nameStart();
        MemorySegment.copy(file.path(), file.nameStart(), name, ValueLayout.JAVA_BYTE, 0, length);
        name.set(ValueLayout.JAVA_BYTE, length, (byte) 0);
        int result = calls.statNow(opened, name, 0, facts);
        if (result < 0) {
            return failed(file, result);
        }
        if (!mayGo(file) || stopping.getAsBoolean()) {
            return Freed.HELD;
        }
        boolean lastName = StatxBuffer.links(facts) == 1;
        long bytesFreed = lastName ? StatxBuffer.allocatedBytes(facts) : 0;
        long taken = removals.goes(file, bytesFreed);
        result = calls.unlink(opened, name, 0);
        if (result < 0) {
            removals.stays(file, taken, bytesFreed);
            return failed(file, result);
        }
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
                : Math.max(recencyRule.seconds(facts), touched(file));
        if (used > file.recencySeconds()) {
            removals.skipped("hot_again");
            return false;
        }
        return true;
    }

    private long touched(VolumeFile file) {
        return touches.any() ? touches.seconds(file.rank(), layout.hash(file.name())) : 0;
    }

    private Freed failed(VolumeFile file, int result) {
        if (GONE.contains(-result)) {
            removals.skipped("gone");
            return cache < 0 ? Freed.HELD : Freed.GONE; // without the cache nothing is known of the file
        }
        removals.refused(file, -result);
        return Freed.FAILED;
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
     * new place. If it does not, everything is closed. To be asked before each batch.
     */
    boolean isStillThere() {
        if (cache < 0) {
            return true;
        }
        int found = root.openCache();
        if (found < 0) {
            rest();
            return false;
        }
        boolean same = device == root.device(found) && root.inode(cache) == root.inode(found);
        calls.close(found);
        if (!same) {
            rest();
        }
        return same;
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
