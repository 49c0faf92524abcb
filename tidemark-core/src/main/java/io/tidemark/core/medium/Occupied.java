package io.tidemark.core.medium;

import java.util.BitSet;

/** What blocks take of a slab and of a checkpoint: pages, none of them twice, room for records, slots. */
final class Occupied {
    private final int limit;
    private final BitSet taken;
    private int pages;
    private long recordBytes;
    private int slotsEnd;

    /** Nothing, in a slab of so many pages. */
    Occupied(int limit) {
        this.limit = limit;
        taken = new BitSet(limit);
    }

    /** Takes what a block needs; false, and nothing changes, where it lies outside the slab or on another block. */
    boolean add(RecordLog.Row block) {
        // Nearly all lie in one run: without a loop the compilers have less to do, at a start.
        if (block.runs() == 1 ? !claimRun(block.first(0), block.pages(0)) : !claimRuns(block)) {
            return false;
        }
        recordBytes += block.bytes();
        slotsEnd = Math.max(slotsEnd, (int) block.handle() + 1);
        return true;
    }

    /** Gives back what a block that was added took. */
    void remove(RecordLog.Row block) {
        for (int run = 0; run < block.runs(); run++) {
            release(block.first(run), block.pages(run));
        }
        recordBytes -= block.bytes();
    }

    private boolean claimRuns(RecordLog.Row block) {
        int runs = block.runs();
        for (int run = 0; run < runs; run++) {
            if (!claimRun(block.first(run), block.pages(run))) {
                for (int before = 0; before < run; before++) {
                    release(block.first(before), block.pages(before));
                }
                return false;
            }
        }
        return true;
    }

    private boolean claimRun(int from, int count) {
        if (from < 0 || count <= 0 || count > limit - from || !claim(from, from + count)) {
            return false;
        }
        pages += count;
        return true;
    }

    private boolean claim(int from, int to) {
        if (to - from == 1) {
            boolean free = !taken.get(from);
            taken.set(from);
            return free;
        }
        int next = taken.nextSetBit(from);
        boolean free = next < 0 || next >= to;
        if (free) {
            taken.set(from, to);
        }
        return free;
    }

    private void release(int from, int count) {
        taken.clear(from, from + count);
        pages -= count;
    }

    /** Whether each page is taken. Not to be changed. */
    BitSet taken() {
        return taken;
    }

    int pages() {
        return pages;
    }

    long recordBytes() {
        return recordBytes;
    }

    /** No block has this slot or a higher one. */
    int slotsEnd() {
        return slotsEnd;
    }
}
