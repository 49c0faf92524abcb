package io.tidemark.index.policy;

import java.util.Arrays;

/** Ints by place, in pages: growth copies no page. They start at 0. */
final class PagedInts {
    private static final int PAGE_BITS = 12;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int MASK = PAGE - 1;

    private int[][] pages = new int[4][];
    private int pageCount;

    int get(int place) {
        int page = place >>> PAGE_BITS;
        return page < pageCount ? pages[page][place & MASK] : 0;
    }

    void set(int place, int value) {
        while (place >>> PAGE_BITS >= pageCount) {
            addPage();
        }
        pages[place >>> PAGE_BITS][place & MASK] = value;
    }

    private void addPage() {
        if (pageCount == pages.length) {
            pages = Arrays.copyOf(pages, Growth.lengthFor(pageCount, pageCount));
        }
        pages[pageCount++] = new int[PAGE];
    }
}
