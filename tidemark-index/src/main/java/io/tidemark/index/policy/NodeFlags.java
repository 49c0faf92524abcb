package io.tidemark.index.policy;

import java.util.Arrays;

/** Up to eight flags a node, in pages: growth copies no page. */
final class NodeFlags {
    private static final int PAGE_BITS = 12;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int MASK = PAGE - 1;

    private byte[][] pages = new byte[4][];
    private int pageCount;

    boolean has(int node, int flag) {
        int page = node >>> PAGE_BITS;
        return page < pageCount && (pages[page][node & MASK] & flag) != 0;
    }

    /** Sets the flag; true when it was not set before. */
    boolean set(int node, int flag) {
        if (node < 0) {
            throw new IllegalArgumentException("node ids start at 0, got " + node);
        }
        while (node >>> PAGE_BITS >= pageCount) {
            addPage();
        }
        byte[] page = pages[node >>> PAGE_BITS];
        boolean rises = (page[node & MASK] & flag) == 0;
        page[node & MASK] |= (byte) flag;
        return rises;
    }

    /** Clears the flag; true when it was set before. */
    boolean clear(int node, int flag) {
        boolean falls = has(node, flag);
        if (falls) {
            pages[node >>> PAGE_BITS][node & MASK] &= (byte) ~flag;
        }
        return falls;
    }

    void clearEverywhere(int flag) {
        for (int node = 0; node < capacity(); node++) {
            clear(node, flag);
        }
    }

    void clearAll() {
        for (int page = 0; page < pageCount; page++) {
            Arrays.fill(pages[page], (byte) 0);
        }
    }

    /** Number of nodes that there is room for. */
    int capacity() {
        return pageCount * PAGE;
    }

    private void addPage() {
        if (pageCount == pages.length) {
            pages = Arrays.copyOf(pages, Growth.lengthFor(pageCount, pageCount));
        }
        pages[pageCount++] = new byte[PAGE];
    }
}
