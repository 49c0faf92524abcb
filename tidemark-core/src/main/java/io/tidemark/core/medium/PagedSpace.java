package io.tidemark.core.medium;

import io.tidemark.core.medium.Reclaimable.Freed;
import io.tidemark.core.medium.Reclaimable.Outcome;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Pages, slots and account of a medium, which move together and in one order: allocator and table of copies learn of free
 * pages and slots before the ledger does, and the ledger is asked before both. So what the ledger calls free can always be
 * allocated.
 */
final class PagedSpace {
    private final long pageBytes;
    private final PageRunAllocator allocator;
    private final Ledger ledger;
    private final CopyTable copies;

    PagedSpace(long pageBytes, PageRunAllocator allocator, Ledger ledger, CopyTable copies) {
        this.pageBytes = pageBytes;
        this.allocator = allocator;
        this.ledger = ledger;
        this.copies = copies;
    }

    /** A RESERVED copy with the pages of a block of this length, or {@link CopyTable#NO_COPY} when there are too few. */
    long take(int bytes) {
        long charged = CopyTable.charge(bytes, pageBytes);
        if (!ledger.reserve(charged)) {
            return CopyTable.NO_COPY;
        }
        int first = allocator.allocate((int) (charged / pageBytes));
        assert first != PageRunAllocator.NONE : "free in the ledger, not in the allocator";
        return reserve(bytes, first);
    }

    /** As {@link #take} for several blocks, side by side where that is possible; empty when there are too few pages for all. */
    long[] takeTogether(int[] bytes) {
        int[] pages = Arrays.stream(bytes)
                .map(length -> (int) (CopyTable.charge(length, pageBytes) / pageBytes))
                .toArray();
        if (!ledger.reserve(Arrays.stream(pages).asLongStream().sum() * pageBytes)) {
            return new long[0];
        }
        int[] firsts = allocator.allocateTogether(pages);
        assert firsts.length == bytes.length : "free in the ledger, not in the allocator";
        return IntStream.range(0, bytes.length)
                .mapToLong(i -> reserve(bytes[i], firsts[i]))
                .toArray();
    }

    private long reserve(int bytes, int first) {
        boolean single = allocator.nextRun(first) == PageRunAllocator.NONE;
        long copy = copies.reserve(bytes, placeOf(first, single));
        assert copy != CopyTable.NO_COPY
                : "free in the ledger, no slot: every copy takes a page, there is a slot a page";
        return copy;
    }

    /** As {@link #adopt(int[])}, for one run; only before anybody else knows this space. */
    int adoptAlone(int first, int count) {
        return placeOf(allocator.adoptAlone(first, count), true);
    }

    /** Makes pages that are not usable yet the place of a copy of an earlier process, see {@link CopyTable#restore}. */
    int adopt(int[] runs) {
        return placeOf(allocator.adopt(runs), runs.length == 2);
    }

    /** Where a copy begins; the complement for one that lies in several runs, so that a reader need not ask. */
    private static int placeOf(int first, boolean single) {
        return single ? first : ~first;
    }

    /** First page of a copy's first run. */
    int first(long copy) {
        int place = copies.place(copy);
        return place < 0 ? ~place : place;
    }

    /** As {@link #cancel(long, LongConsumer, IntConsumer)}; the pages are free again. */
    boolean cancel(long copy, LongConsumer end) {
        return cancel(copy, end, first -> ledger.aborted(allocator.free(first) * pageBytes));
    }

    /**
     * Ends a reservation; false, and nothing changes, when it is none.
     *
     * @param end told of the copy before its pages and its slot can be handed out again
     * @param pages takes over the allocation that begins with this page, and moves its bytes in the ledger
     */
    boolean cancel(long copy, LongConsumer end, IntConsumer pages) {
        if (!copies.endReservation(copy)) {
            return false;
        }
        int first = first(copy);
        try {
            end.accept(copy);
        } finally {
            // Whatever that came to: the handle is past, nobody could give it back again.
            copies.recycle(copy);
            pages.accept(first);
        }
        return true;
    }

    /**
     * Frees a committed copy.
     *
     * @param end told of the copy when it is sure to go, before its pages and its slot can be handed out again
     */
    Freed free(long copy, LongConsumer end) {
        Outcome outcome = copies.retire(copy);
        return switch (outcome) {
            case GONE -> Freed.GONE;
            case HELD -> Freed.HELD;
            case FAILED -> Freed.FAILED;
            case FREED -> {
                long bytes;
                try {
                    end.accept(copy);
                } finally {
                    // Whatever that came to: the handle is past, nobody could free it again.
                    bytes = allocator.free(first(copy)) * pageBytes;
                    copies.recycle(copy);
                    ledger.freed(bytes);
                }
                yield new Freed(Outcome.FREED, bytes);
            }
        };
    }
}
