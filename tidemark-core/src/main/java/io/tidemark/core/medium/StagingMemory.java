package io.tidemark.core.medium;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Memory that devices read into: one range of addresses, mapped when the first piece is taken, touched by what is read into it,
 * and kept. In huge pages, where they are asked for and the kernel has some: direct I/O hands a device each of them as one
 * address, and of small pages each 4 KiB.
 *
 * <p>Pieces have any size and lie side by side ({@link PageRunAllocator}), so that what is touched stays about as large as what
 * was in use at once. A piece is one run: beside pieces that are in use there may be none that is long enough, though in sum
 * enough is free.
 *
 * <p>Thread-safe; its monitor is held while the range is mapped, once, and is a leaf of the lock order.
 */
public final class StagingMemory {
    /** What pieces are multiples of: what media with direct I/O read into without a copy. */
    public static final int PAGE_BYTES = 4096;

    private static final System.Logger LOG = System.getLogger(StagingMemory.class.getName());

    /** So many bytes at an address that is a multiple of {@link #PAGE_BYTES}; their content is what was read before. */
    public static final class Piece {
        private final MemorySegment segment;
        private final int firstPage;

        private Piece(MemorySegment segment, int firstPage) {
            this.segment = segment;
            this.firstPage = firstPage;
        }

        public MemorySegment segment() {
            return segment;
        }
    }

    private final Sys sys;
    private final int pages;
    private final boolean huge;
    private final PageRunAllocator free;
    /** Empty before the first piece. Guarded by this. */
    private Optional<MemorySegment> range = Optional.empty();

    /**
     * A range of so many bytes, or of the most there can be.
     *
     * @param huge whether huge pages are asked for
     */
    public StagingMemory(Sys sys, long bytes, boolean huge) {
        this.sys = sys;
        this.huge = huge;
        pages = (int) Math.min(Math.ceilDiv(bytes, PAGE_BYTES), PageRunAllocator.PAGES_MAX);
        free = new PageRunAllocator(pages);
        free.add(0, pages);
    }

    /** A piece of so many bytes, 1 or more; nothing where no run of free pages is long enough, or the kernel maps none. */
    public Optional<Piece> take(long bytes) {
        long count = Math.ceilDiv(bytes, PAGE_BYTES);
        if (count > pages) {
            return Optional.empty();
        }
        return range().flatMap(memory -> take(memory, bytes, (int) count));
    }

    private Optional<Piece> take(MemorySegment memory, long bytes, int count) {
        int first = free.allocate(count);
        if (first == PageRunAllocator.NONE) {
            return Optional.empty();
        }
        if (free.runPages(first) < count) {
            free.free(first);
            return Optional.empty();
        }
        return Optional.of(new Piece(memory.asSlice((long) first * PAGE_BYTES, bytes), first));
    }

    /** Takes a piece back: its bytes may be overwritten from now on. */
    public void giveBack(Piece piece) {
        free.free(piece.firstPage);
    }

    private synchronized Optional<MemorySegment> range() {
        if (range.isEmpty()) {
            try {
                range = Optional.of(map());
            } catch (SysException e) {
                LOG.log(System.Logger.Level.WARNING, "no memory for reads from devices: {0}", e.getMessage());
            }
        }
        return range;
    }

    @SuppressWarnings("restricted") // ties the mapping to its reachability: who reads a piece keeps it
    private MemorySegment map() throws SysException {
        MemorySegment mapping = sys.mmap(
                (long) pages * PAGE_BYTES,
                Sys.PROT_READ | Sys.PROT_WRITE,
                Sys.MAP_PRIVATE | Sys.MAP_ANONYMOUS | Sys.MAP_NORESERVE,
                -1,
                0);
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
