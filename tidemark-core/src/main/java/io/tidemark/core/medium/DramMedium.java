package io.tidemark.core.medium;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Blocks in memory: one anonymous mapping, reserved at once and touched in the background, cut into pages.
 *
 * <p>Only touched pages are handed out, so no put pays for a page fault; until then their bytes are
 * {@linkplain Ledger.Snapshot#untouched untouched}, which shows the progress. The mapping never shrinks while the
 * medium is reachable: segments stay valid memory, whatever a late reader does with them.
 *
 * <p>Space moves in one order, so that what the ledger calls free can always be allocated: allocator and table of
 * copies learn of free pages and slots before the ledger does, and the ledger is asked before both.
 */
public final class DramMedium implements MappedMedium {
    private final DramOptions options;
    private final MemorySegment arena;
    private final PageRunAllocator allocator;
    private final Ledger ledger;
    private final CopyTable copies;
    private final PagedSpace space;
    private final ArenaToucher toucher;
    private volatile boolean closed;

    private DramMedium(DramOptions options, MemorySegment arena, Sys sys) {
        this.options = options;
        this.arena = arena;
        allocator = new PageRunAllocator(options.pages());
        ledger = new Ledger(arena.byteSize());
        copies = new CopyTable(ledger, options.pageBytes(), options.pages());
        space = new PagedSpace(options.pageBytes(), allocator, ledger, copies);
        toucher = new ArenaToucher(sys, arena, options, this::touched);
    }

    /**
     * Maps the memory and starts to touch it.
     *
     * @throws SysException when the kernel refuses the mapping
     */
    public static DramMedium open(Sys sys, DramOptions options) throws SysException {
        DramMedium medium = openUntouched(sys, options);
        medium.touchAll();
        return medium;
    }

    /**
     * As {@link #open}, with one chunk to serve from until {@link #touchAll}: for a start that has more urgent work for all
     * processors.
     */
    @SuppressWarnings("restricted") // ties the mapping to its reachability
    public static DramMedium openUntouched(Sys sys, DramOptions options) throws SysException {
        MemorySegment mapping = sys.mmap(
                (long) options.pages() * options.pageBytes(),
                Sys.PROT_READ | Sys.PROT_WRITE,
                Sys.MAP_PRIVATE | Sys.MAP_ANONYMOUS | Sys.MAP_NORESERVE,
                -1,
                0);
        if (options.hugePages()) {
            ArenaToucher.adviseHugePages(sys, mapping);
        }
        MemorySegment arena = mapping.reinterpret(Arena.ofAuto(), unreachable -> unmap(sys, unreachable));
        DramMedium medium = new DramMedium(options, arena, sys);
        medium.toucher.touchFirst();
        return medium;
    }

    /** Starts to touch the rest of the memory; called once. */
    public void touchAll() {
        toucher.start();
    }

    @Override
    public String name() {
        return options.name();
    }

    @Override
    public MediumKind kind() {
        return MediumKind.DRAM;
    }

    @Override
    public long pageBytes() {
        return options.pageBytes();
    }

    @Override
    public long maxBlockBytes() {
        return Math.min(options.maxBlockBytes(), arena.byteSize());
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public CopyTable copies() {
        return copies;
    }

    @Override
    public Allocation allocate(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(name() + ": block of " + bytes + " bytes");
        }
        if (closed) {
            return new Allocation.Unavailable(name() + " is closed");
        }
        if (bytes > maxBlockBytes()) {
            return new Allocation.TooLarge(maxBlockBytes());
        }
        long copy = space.take((int) bytes);
        return copy == CopyTable.NO_COPY ? new Allocation.NoSpace() : new Allocation.Allocated(copy);
    }

    @Override
    public boolean abort(long copy) {
        return space.cancel(copy, gone -> {});
    }

    @Override
    public boolean commit(long copy, byte[] key, long generation) {
        return copies.commit(copy);
    }

    @Override
    public Freed free(Long copy) {
        return space.free(copy, gone -> {});
    }

    @Override
    public List<MemorySegment> segments(long copy) {
        requireHeld(copy);
        int place = copies.place(copy);
        long length = copies.lengthHeld(copy);
        if (length == 0) {
            return List.of();
        }
        if (place >= 0) {
            return List.of(arena.asSlice(place * pageBytes(), length));
        }
        List<MemorySegment> runs = new ArrayList<>();
        for (int run = space.first(copy); run != PageRunAllocator.NONE; run = allocator.nextRun(run)) {
            long size = Math.min(length, allocator.runPages(run) * pageBytes());
            runs.add(arena.asSlice(run * pageBytes(), size));
            length -= size;
        }
        return runs;
    }

    @Override
    public void read(long copy, long offset, MemorySegment target) {
        transfer(copy, offset, target, false);
    }

    @Override
    public void write(long copy, long offset, MemorySegment source) {
        transfer(copy, offset, source, true);
    }

    /** Ends the touching and refuses new blocks; what is held stays readable. */
    @Override
    public void close() {
        closed = true;
        toucher.stop();
    }

    private void transfer(long copy, long offset, MemorySegment buffer, boolean in) {
        requireHeld(copy);
        Objects.checkFromIndexSize(offset, buffer.byteSize(), copies.lengthHeld(copy));
        long skip = offset;
        long done = 0;
        for (int run = space.first(copy); done < buffer.byteSize(); run = allocator.nextRun(run)) {
            long size = allocator.runPages(run) * pageBytes();
            if (skip < size) {
                long step = Math.min(size - skip, buffer.byteSize() - done);
                long at = run * pageBytes() + skip;
                if (in) {
                    MemorySegment.copy(buffer, done, arena, at, step);
                } else {
                    MemorySegment.copy(arena, at, buffer, done, step);
                }
                done += step;
            }
            skip = Math.max(0, skip - size);
        }
    }

    private void requireHeld(long copy) {
        if (!copies.isHeld(copy)) {
            throw new IllegalStateException(name() + ": no copy " + copy + "; bytes may only be used while it is held");
        }
    }

    private void touched(long offset, long bytes) {
        allocator.add((int) (offset / pageBytes()), (int) (bytes / pageBytes()));
        ledger.touched(bytes);
    }

    private static void unmap(Sys sys, MemorySegment mapping) {
        try {
            sys.munmap(mapping);
        } catch (SysException e) {
            throw new IllegalStateException(e);
        }
    }
}
