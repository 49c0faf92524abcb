package io.tidemark.index.policy;

import java.util.Arrays;

/**
 * Two links for each place of a list, side by side, so that a step of the list touches one line of the cache. In pages:
 * growth copies one page at most, and that only while there is no second one.
 */
final class Links {
    private static final int PAGE_BITS = 13;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int MASK = PAGE - 1;
    private static final int FIRST_LENGTH = 64;
    private static final int PAIR = 2;

    private int[][] pages = {new int[FIRST_LENGTH * PAIR]};
    private int capacity = FIRST_LENGTH;

    /** Makes room for the place; links of new places are 0. */
    void growTo(int at) {
        while (at >= capacity) {
            if (capacity < PAGE) {
                pages[0] = Arrays.copyOf(pages[0], capacity * 2 * PAIR);
                capacity *= 2;
            } else {
                addPage();
            }
        }
    }

    /** Places that there is room for. */
    int capacity() {
        return capacity;
    }

    int before(int at) {
        return pages[at >>> PAGE_BITS][(at & MASK) * PAIR];
    }

    int after(int at) {
        return pages[at >>> PAGE_BITS][(at & MASK) * PAIR + 1];
    }

    void setBefore(int at, int place) {
        pages[at >>> PAGE_BITS][(at & MASK) * PAIR] = place;
    }

    void setAfter(int at, int place) {
        pages[at >>> PAGE_BITS][(at & MASK) * PAIR + 1] = place;
    }

    /** All links are 0 again; the room stays. */
    void clear() {
        for (int[] page : pages) {
            Arrays.fill(page, 0);
        }
    }

    private void addPage() {
        int used = capacity >>> PAGE_BITS;
        if (used == pages.length) {
            pages = Arrays.copyOf(pages, Growth.lengthFor(used, used));
            Arrays.fill(pages, used, pages.length, new int[0]);
        }
        pages[used] = new int[PAGE * PAIR];
        capacity = (int) Math.min((long) capacity + PAGE, Integer.MAX_VALUE);
    }
}
