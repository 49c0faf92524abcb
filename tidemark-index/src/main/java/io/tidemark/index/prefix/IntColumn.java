package io.tidemark.index.prefix;

import java.util.Arrays;

/** One or more ints a node, in pages, so that growth copies nothing. A fresh node reads the initial value. */
final class IntColumn {
    private static final int PAGE_BITS = 12;
    private static final int PAGE_NODES = 1 << PAGE_BITS;

    private final int stride;
    private final int initial;
    private int[][] pages = new int[4][];
    private int pageCount;

    IntColumn(int stride, int initial) {
        this.stride = stride;
        this.initial = initial;
    }

    int get(int node, int field) {
        return pages[node >>> PAGE_BITS][(node & (PAGE_NODES - 1)) * stride + field];
    }

    void set(int node, int field, int value) {
        pages[node >>> PAGE_BITS][(node & (PAGE_NODES - 1)) * stride + field] = value;
    }

    /** Makes sure that the node can be read, and gives all its fields the initial value. */
    void open(int node) {
        while (node >>> PAGE_BITS >= pageCount) {
            addPage();
        }
        int from = (node & (PAGE_NODES - 1)) * stride;
        Arrays.fill(pages[node >>> PAGE_BITS], from, from + stride, initial);
    }

    /** Heap bytes held. */
    long bytes() {
        return (long) pageCount * PAGE_NODES * stride * Integer.BYTES;
    }

    private void addPage() {
        if (pageCount == pages.length) {
            pages = Arrays.copyOf(pages, pageCount * 2);
        }
        pages[pageCount++] = new int[PAGE_NODES * stride];
    }
}
