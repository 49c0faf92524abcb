package io.tidemark.core.medium;

import java.util.Arrays;
import java.util.BitSet;

/**
 * What of a slab is used from the start on: the blocks that stay where they are, and the pages that are free. Both
 * together are at most the pages that the capacity has room for.
 *
 * <p>Where the capacity has become smaller the youngest blocks stay, wherever they lie: the slab then reaches beyond the
 * capacity in length, but not in blocks of the file system, because pages that are neither kept nor free are given back.
 *
 * @param blocks positions of the records of those that stay, oldest first
 * @param free pairs of first page and number of pages
 * @param unused the same, for pages that are to be given back to the file system
 * @param pages that the slab spans
 * @param keptPages that the blocks lie on
 * @param slotsInUse no block has this slot or a higher one
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, only carried
record SlabPlan(long[] blocks, int[] free, int[] unused, int pages, int keptPages, int slotsInUse) {
    /**
     * Plans with what was found: all of it, or the youngest.
     *
     * @param slabPages that the capacity has room for
     * @param recordBytesMax that the records of the blocks may take
     */
    static SlabPlan of(Recovery.Found found, int slabPages, long recordBytesMax) {
        Occupied all = found.occupied();
        if (all.pages() <= slabPages && all.recordBytes() <= recordBytesMax) {
            return of(found.positions(), all, slabPages);
        }
        long[] blocks = found.positions();
        RecordLog.Row block = found.log().row();
        Occupied kept = new Occupied(all.taken().length());
        int first = blocks.length;
        while (first > 0) {
            block.at(blocks[first - 1]);
            if (kept.pages() + block.pages() > slabPages || kept.recordBytes() + block.bytes() > recordBytesMax) {
                break;
            }
            kept.add(block);
            first--;
        }
        return of(Arrays.copyOfRange(blocks, first, blocks.length), kept, slabPages);
    }

    private static SlabPlan of(long[] blocks, Occupied kept, int slabPages) {
        int pages = Math.max(slabPages, kept.taken().length());
        PageRuns gaps = gaps(kept.taken(), pages);
        PageRuns free = gaps.first(slabPages - kept.pages());
        return new SlabPlan(blocks, free.toArray(), gaps.behind(free).toArray(), pages, kept.pages(), kept.slotsEnd());
    }

    /** Whether blocks lie beyond the pages that the capacity has room for. */
    boolean isScattered() {
        return unused.length > 0;
    }

    /** The same where the file ends before this page: what would have been free behind it is not there. */
    SlabPlan endingAt(int end) {
        PageRuns there = new PageRuns();
        for (int i = 0; i < free.length; i += 2) {
            there.add(free[i], Math.min(free[i + 1], end - free[i]));
        }
        return new SlabPlan(blocks, there.toArray(), unused, pages, keptPages, slotsInUse);
    }

    /** Pages that hold blocks or can. */
    int usablePages() {
        int usable = keptPages;
        for (int i = 1; i < free.length; i += 2) {
            usable += free[i];
        }
        return usable;
    }

    /** Slots of copies: one a page, as every copy takes a page, and those that the blocks have. */
    int slots() {
        return Math.max(pages, slotsInUse);
    }

    private static PageRuns gaps(BitSet taken, int pages) {
        PageRuns gaps = new PageRuns();
        for (int from = taken.nextClearBit(0); from < pages; ) {
            int next = taken.nextSetBit(from);
            int to = next < 0 ? pages : next;
            gaps.add(from, to - from);
            from = taken.nextClearBit(to);
        }
        return gaps;
    }
}
