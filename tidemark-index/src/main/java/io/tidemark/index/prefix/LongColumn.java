package io.tidemark.index.prefix;

import java.util.Arrays;

/** Some longs a node, in pages, so that growth copies nothing. A fresh node reads 0. */
final class LongColumn {
    private static final int PAGE_BITS = 12;
    private static final int PAGE_NODES = 1 << PAGE_BITS;

    private final int stride;
    private long[][] pages = new long[4][];
    private int pageCount;

    LongColumn(int stride) {
        this.stride = stride;
    }

    long get(int node, int field) {
        return pages[node >>> PAGE_BITS][(node & (PAGE_NODES - 1)) * stride + field];
    }

    void set(int node, int field, long value) {
        pages[node >>> PAGE_BITS][(node & (PAGE_NODES - 1)) * stride + field] = value;
    }

    /** Makes sure that the node can be read, and zeroes its fields. */
    void open(int node) {
        while (node >>> PAGE_BITS >= pageCount) {
            if (pageCount == pages.length) {
                pages = Arrays.copyOf(pages, pageCount * 2);
            }
            pages[pageCount++] = new long[PAGE_NODES * stride];
        }
        int from = (node & (PAGE_NODES - 1)) * stride;
        Arrays.fill(pages[node >>> PAGE_BITS], from, from + stride, 0);
    }

    /** Heap bytes held. */
    long bytes() {
        return (long) pageCount * PAGE_NODES * stride * Long.BYTES;
    }
}
