package io.tidemark.core.medium;

import java.io.IOException;

/**
 * Where a block lies in the slab: runs of pages in block order.
 *
 * @param runs pairs of first page and number of pages
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, only carried
record Extents(int[] runs, int pageBytes) {
    /** One contiguous piece of a range of a block. */
    interface Piece {
        /** {@code fileOffset}: where it lies in the slab; {@code at}: where it lies in the range. */
        void apply(long fileOffset, long at, long bytes) throws IOException;
    }

    static Extents of(PageRunAllocator allocator, int place, int pageBytes) {
        int count = 0;
        for (int run = place; run != PageRunAllocator.NONE; run = allocator.nextRun(run)) {
            count++;
        }
        int[] runs = new int[count * 2];
        int at = 0;
        for (int run = place; run != PageRunAllocator.NONE; run = allocator.nextRun(run)) {
            runs[at++] = run;
            runs[at++] = allocator.runPages(run);
        }
        return new Extents(runs, pageBytes);
    }

    /** Calls for the contiguous pieces of a range of the block, in order. */
    void forRange(long offset, long bytes, Piece piece) throws IOException {
        long skip = offset;
        long done = 0;
        for (int i = 0; done < bytes; i += 2) {
            long size = (long) runs[i + 1] * pageBytes;
            if (skip < size) {
                long step = Math.min(size - skip, bytes - done);
                piece.apply((long) runs[i] * pageBytes + skip, done, step);
                done += step;
            }
            skip = Math.max(0, skip - size);
        }
    }

    /** The page of the slab that holds the block's byte at {@code offset}. */
    int pageAt(long offset) {
        int page = (int) (offset / pageBytes);
        int i = 0;
        while (page >= runs[i + 1]) {
            page -= runs[i + 1];
            i += 2;
        }
        return runs[i] + page;
    }
}
