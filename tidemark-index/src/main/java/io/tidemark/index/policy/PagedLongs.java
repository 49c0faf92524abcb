package io.tidemark.index.policy;

import java.util.Arrays;

/** Longs by node, in pages: growth copies no page. They start at 0. */
final class PagedLongs {
    private static final int PAGE_BITS = 12;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int MASK = PAGE - 1;

    private long[][] pages = new long[4][];
    private int pageCount;

    long get(int node) {
        int page = node >>> PAGE_BITS;
        return page < pageCount ? pages[page][node & MASK] : 0;
    }

    void set(int node, long value) {
        while (node >>> PAGE_BITS >= pageCount) {
            addPage();
        }
        pages[node >>> PAGE_BITS][node & MASK] = value;
    }

    /** Number of nodes that there are longs for. */
    int capacity() {
        return pageCount * PAGE;
    }

    void clear() {
        for (int page = 0; page < pageCount; page++) {
            Arrays.fill(pages[page], 0);
        }
    }

    private void addPage() {
        if (pageCount == pages.length) {
            pages = Arrays.copyOf(pages, Growth.lengthFor(pageCount, pageCount));
        }
        pages[pageCount++] = new long[PAGE];
    }
}
