package io.tidemark.core.medium;

import java.util.Arrays;

/**
 * Hands out pages of one range, in O(1) at any fill: contiguous where a long enough run is free, else as a chain of
 * runs, so that every free page can really be allocated.
 *
 * <p>Free runs hang in doubly linked lists by length: one list a length up to 16 pages, then 16 lists for each
 * doubling. A bitmap of the non-empty lists finds the first list whose every run is long enough. The first page of a
 * run (and the last page of a free one) carries a tag, which finds a neighbour to merge with at the free. Eight bytes a page:
 *
 * <pre>  tag:   [ 2 kind | 30 pages ]    kind: 0 inside a run or unusable, 1 free, 2 first run of an allocation, 3 later run
 *  link:  allocated: next run of the chain, or NONE
 *         free:      [ 1 unused | 1 single | 30 next in its list ], NO_PAGE at the end;
 *                    the previous one is in the link of the second page, or, in a run of a single page, in its tag</pre>
 *
 * <p>Thread-safe; its monitor is a leaf of the lock order. {@link #nextRun} and {@link #runPages} take no lock: who
 * holds an allocation may walk it, since nobody else changes its tags.
 */
final class PageRunAllocator {
    /** No run. */
    static final int NONE = -1;
    /** Most pages of one range: 4 TiB at 4 KiB. */
    static final int PAGES_MAX = (1 << 30) - 1;

    /** No page, in the 30 bits of a list. */
    private static final int NO_PAGE = PAGES_MAX;
    /** Marks the link of a free run of one page. */
    private static final int SINGLE = 1 << 30;

    private static final int KIND_SHIFT = 30;
    private static final int INSIDE = 0;
    private static final int FREE = 1;
    private static final int HEAD = 2;
    private static final int PART = 3;
    private static final int STEP_BITS = 4;
    private static final int STEPS = 1 << STEP_BITS;
    private static final int CLASSES = STEPS * (32 - STEP_BITS);
    /** How many runs of the list that may or may not fit are looked at before the search falls back to a chain. */
    private static final int TRIES_MAX = 8;

    private final int pages;
    private final Ints tags;
    private final Ints links;
    private final int[] heads = new int[CLASSES];
    private final long[] nonEmpty = new long[CLASSES / Long.SIZE + 1];
    private int freePages;

    /** A range of pages, none of which is usable before it is {@linkplain #add added}. */
    PageRunAllocator(int pages) {
        if (pages < 0 || pages > PAGES_MAX) {
            throw new IllegalArgumentException(pages + " pages; expected 0 to " + PAGES_MAX);
        }
        this.pages = pages;
        tags = new Ints(pages);
        links = new Ints(pages);
        Arrays.fill(heads, NO_PAGE);
    }

    /** Makes {@code count} pages from {@code first} on usable; they must not have been before. */
    synchronized void add(int first, int count) {
        requireRange(first, count);
        if (count > 0) {
            freePages += count;
            insertMerged(first, count);
        }
    }

    /**
     * Makes runs of pages that are not usable yet an allocation, as if they had been handed out before.
     *
     * @param runs pairs of first page and number of pages
     * @return what {@link #allocate} would have answered
     */
    synchronized int adopt(int[] runs) {
        for (int i = 0; i < runs.length; i += 2) {
            requireRange(runs[i], runs[i + 1]);
            tags.set(runs[i], ((i == 0 ? HEAD : PART) << KIND_SHIFT) | runs[i + 1]);
            links.set(runs[i], i + 2 < runs.length ? runs[i + 2] : NONE);
        }
        return runs.length == 0 ? NONE : runs[0];
    }

    /** As {@link #adopt(int[])}, for one run; takes no lock: only before anybody else knows the allocator. */
    int adoptAlone(int first, int count) {
        requireRange(first, count);
        tags.set(first, (HEAD << KIND_SHIFT) | count);
        links.set(first, NONE);
        return first;
    }

    /**
     * Takes pages, all or none.
     *
     * @return the first page of the first run, or {@link #NONE} when too few are free or 0 were asked for
     */
    synchronized int allocate(int count) {
        if (count <= 0 || count > freePages) {
            return NONE;
        }
        freePages -= count;
        int first = takeRun(count, HEAD);
        int last = first;
        int missing = count - runPages(first);
        while (missing > 0) {
            int run = takeRun(missing, PART);
            links.set(last, run);
            last = run;
            missing -= runPages(run);
        }
        links.set(last, NONE);
        return first;
    }

    /**
     * Takes several allocations, all or none: side by side, in this order, where a free run is long enough for all.
     *
     * @param counts pages of each, 1 or more
     * @return the first page of each one's first run; empty when too few are free
     */
    synchronized int[] allocateTogether(int[] counts) {
        long total = Arrays.stream(counts).asLongStream().sum();
        if (total > freePages) {
            return new int[0];
        }
        if (findFit((int) total) == NONE) {
            return Arrays.stream(counts).map(this::allocate).toArray();
        }
        freePages -= (int) total;
        int at = takeRun((int) total, HEAD);
        int[] firsts = new int[counts.length];
        for (int i = 0; i < counts.length; i++) {
            firsts[i] = at;
            tags.set(at + counts[i] - 1, INSIDE);
            tags.set(at, (HEAD << KIND_SHIFT) | counts[i]);
            links.set(at, NONE);
            at += counts[i];
        }
        return firsts;
    }

    /**
     * Gives an allocation back whole.
     *
     * @param first what {@link #allocate} answered
     * @return pages given back
     * @throws IllegalStateException when no allocation starts there: a second free, or a page inside a run
     */
    synchronized int free(int first) {
        requireRange(first, 1);
        if (kind(first) != HEAD) {
            throw new IllegalStateException("no allocation starts at page " + first + ": freed twice?");
        }
        int count = 0;
        int run = first;
        while (run != NONE) {
            int following = links.get(run);
            int length = runPages(run);
            tags.set(run, INSIDE);
            insertMerged(run, length);
            count += length;
            run = following;
        }
        freePages += count;
        return count;
    }

    /** Pages that can be allocated now, to the last one. */
    synchronized int freePages() {
        return freePages;
    }

    /** The run after this one in an allocation, or {@link #NONE}. */
    int nextRun(int run) {
        return links.get(run);
    }

    /** Pages of a run of an allocation. */
    int runPages(int run) {
        return tags.get(run) & PAGES_MAX;
    }

    /** Takes one run of at most {@code count} pages: the whole count where that is possible. */
    private int takeRun(int count, int kind) {
        int run = findFit(count);
        if (run == NONE) {
            run = heads[lastNonEmpty()];
        }
        int length = freePages(run);
        unlink(run, length);
        if (length > count) {
            insert(run + count, length - count);
        }
        int taken = Math.min(length, count);
        tags.set(run + taken - 1, INSIDE);
        tags.set(run, (kind << KIND_SHIFT) | taken);
        return run;
    }

    private int findFit(int count) {
        int list = listOf(count);
        int exact = isLowerBound(count, list) ? list : list + 1;
        int found = firstNonEmpty(exact);
        if (found != NONE) {
            return heads[found];
        }
        int run = heads[list];
        for (int tries = 0; run != NO_PAGE && tries < TRIES_MAX; tries++) {
            if (freePages(run) >= count) {
                return run;
            }
            run = nextInList(run);
        }
        return NONE;
    }

    /** Links a free run, together with the free runs that touch it. */
    private void insertMerged(int first, int count) {
        int from = first;
        int to = first + count;
        if (from > 0 && kind(from - 1) == FREE) {
            int length = freePages(from - 1);
            unlink(from - length, length);
            tags.set(from - 1, INSIDE);
            from -= length;
        }
        if (to < pages && kind(to) == FREE) {
            int length = freePages(to);
            unlink(to, length);
            tags.set(to, INSIDE);
            to += length;
        }
        insert(from, to - from);
    }

    private void insert(int run, int length) {
        int list = listOf(length);
        int head = heads[list];
        if (length == 1) {
            links.set(run, SINGLE | head);
        } else {
            links.set(run + length - 1, 0);
            links.set(run, head);
            tags.set(run, (FREE << KIND_SHIFT) | length);
            tags.set(run + length - 1, (FREE << KIND_SHIFT) | length);
        }
        setBefore(run, length, NO_PAGE);
        if (head != NO_PAGE) {
            setBefore(head, length, run);
        }
        heads[list] = run;
        nonEmpty[list / Long.SIZE] |= 1L << list;
    }

    private void unlink(int run, int length) {
        int after = nextInList(run);
        int before = (length == 1 ? tags : links).get(length == 1 ? run : run + 1) & NO_PAGE;
        if (after != NO_PAGE) {
            setBefore(after, length, before);
        }
        if (before != NO_PAGE) {
            links.set(before, (links.get(before) & SINGLE) | after);
            return;
        }
        int list = listOf(length);
        heads[list] = after;
        if (after == NO_PAGE) {
            nonEmpty[list / Long.SIZE] &= ~(1L << list);
        }
    }

    /** Pages of the free run that begins or ends with this page. */
    private int freePages(int page) {
        return (links.get(page) & SINGLE) != 0 ? 1 : tags.get(page) & PAGES_MAX;
    }

    private int nextInList(int run) {
        return links.get(run) & NO_PAGE;
    }

    /** Names the run before a free one; all runs of a list have one page, or all have more. */
    private void setBefore(int run, int length, int before) {
        if (length == 1) {
            tags.set(run, (FREE << KIND_SHIFT) | before);
        } else {
            links.set(run + 1, before);
        }
    }

    private int firstNonEmpty(int from) {
        int at = from / Long.SIZE;
        long bits = nonEmpty[at] & -1L << from;
        while (bits == 0) {
            if (++at == nonEmpty.length) {
                return NONE;
            }
            bits = nonEmpty[at];
        }
        return at * Long.SIZE + Long.numberOfTrailingZeros(bits);
    }

    private int lastNonEmpty() {
        int at = nonEmpty.length - 1;
        while (nonEmpty[at] == 0) {
            at--;
        }
        return at * Long.SIZE + Long.SIZE - 1 - Long.numberOfLeadingZeros(nonEmpty[at]);
    }

    /** The list that holds free runs of this length. */
    private static int listOf(int length) {
        if (length < STEPS) {
            return length;
        }
        int doubling = 31 - Integer.numberOfLeadingZeros(length) - STEP_BITS;
        return (doubling << STEP_BITS) + (length >>> doubling);
    }

    /** Whether every run in the list is at least this long. */
    private static boolean isLowerBound(int length, int list) {
        return length < STEPS || listOf(length - 1) < list;
    }

    private int kind(int page) {
        return tags.get(page) >>> KIND_SHIFT;
    }

    private void requireRange(int first, int count) {
        if (first < 0 || count < 0 || (long) first + count > pages) {
            throw new IndexOutOfBoundsException("pages " + first + " to " + ((long) first + count) + " of " + pages);
        }
    }
}
