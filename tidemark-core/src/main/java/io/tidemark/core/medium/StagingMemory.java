package io.tidemark.core.medium;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory that devices read into: one range of addresses, mapped when the first piece is taken, touched by what is read into it,
 * and kept. In huge pages, where they are asked for and the kernel has some: direct I/O hands a device each of them as one
 * address, and of small pages each 4 KiB.
 *
 * <p>Pieces have any size and are runs of pages ({@link PageRunAllocator}): one, or several where no run is long enough, so that
 * what is free can always be taken.
 *
 * <p>Thread-safe; its monitor is held while the range is mapped, once, and is a leaf of the lock order.
 */
public final class StagingMemory {
    /** What pieces are multiples of: what media with direct I/O read into without a copy. */
    public static final int PAGE_BYTES = 4096;

    private static final System.Logger LOG = System.getLogger(StagingMemory.class.getName());

    /** So many bytes, in segments of whole pages but for the end of the last; their content is what was read before. */
    public static final class Piece {
        private final List<MemorySegment> segments;
        private final int firstPage;

        private Piece(List<MemorySegment> segments, int firstPage) {
            this.segments = segments;
            this.firstPage = firstPage;
        }

        public List<MemorySegment> segments() {
            return segments;
        }
    }

    private final Sys sys;
    private final int pages;
    private final boolean huge;
    private final PageRunAllocator free;
    /** Empty before the first piece. Guarded by this. */
    private Optional<MemorySegment> range = Optional.empty();

    /** That the kernel maps none is told once, and not at each read. */
    private final AtomicBoolean told = new AtomicBoolean();

    /**
     * A range of so many bytes, rounded down to pages, or of the most there can be.
     *
     * @param huge whether huge pages are asked for
     */
    public StagingMemory(Sys sys, long bytes, boolean huge) {
        this.sys = sys;
        this.huge = huge;
        pages = (int) Math.min(bytes / PAGE_BYTES, PageRunAllocator.PAGES_MAX);
        free = new PageRunAllocator(pages);
        free.add(0, pages);
    }

    /**
     * A piece of so many bytes, 1 or more. One that is larger than the range is memory of its own, which goes when nobody
     * knows it any more: to be asked for alone.
     *
     * @return nothing where there is no room, or the kernel maps none
     */
    public Optional<Piece> take(long bytes) {
        long count = Math.ceilDiv(bytes, PAGE_BYTES);
        return count > pages
                ? mapped(bytes).map(memory -> new Piece(List.of(memory), PageRunAllocator.NONE))
                : range().flatMap(memory -> take(memory, bytes, (int) count));
    }

    private Optional<Piece> take(MemorySegment memory, long bytes, int count) {
        int first = free.allocate(count);
        if (first == PageRunAllocator.NONE) {
            return Optional.empty();
        }
        List<MemorySegment> segments = new ArrayList<>(1);
        long left = bytes;
        for (int run = first; run != PageRunAllocator.NONE; run = free.nextRun(run)) {
            long length = Math.min(left, (long) free.runPages(run) * PAGE_BYTES);
            segments.add(memory.asSlice((long) run * PAGE_BYTES, length));
            left -= length;
        }
        return Optional.of(new Piece(segments, first));
    }

    /** Takes a piece back: its bytes may be overwritten from now on. */
    public void giveBack(Piece piece) {
        if (piece.firstPage != PageRunAllocator.NONE) {
            free.free(piece.firstPage);
        }
    }

    private synchronized Optional<MemorySegment> range() {
        if (range.isEmpty()) {
            range = mapped((long) pages * PAGE_BYTES);
        }
        return range;
    }

    private Optional<MemorySegment> mapped(long bytes) {
        try {
            return Optional.of(map(bytes));
        } catch (SysException e) {
            if (told.compareAndSet(false, true)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "no memory for reads from devices, which are refused until there is some: {0}",
                        e.getMessage());
            }
            return Optional.empty();
        }
    }

    @SuppressWarnings("restricted") // ties the mapping to its reachability: who reads a piece keeps it
    private MemorySegment map(long bytes) throws SysException {
        MemorySegment mapping = sys.mmap(
                bytes, Sys.PROT_READ | Sys.PROT_WRITE, Sys.MAP_PRIVATE | Sys.MAP_ANONYMOUS | Sys.MAP_NORESERVE, -1, 0);
        if (huge) {
            ArenaToucher.adviseHugePages(sys, mapping);
        }
        return mapping.reinterpret(Arena.ofAuto(), unreachable -> unmap(sys, unreachable));
    }

    private static void unmap(Sys sys, MemorySegment mapping) {
        try {
            sys.munmap(mapping);
        } catch (SysException e) {
            throw new IllegalStateException(e);
        }
    }
}
