package io.tidemark.index.policy;

import java.util.Arrays;

/** A growing stack of node ids. */
final class NodeStack {
    private int[] nodes = new int[16];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    void push(int node) {
        if (size == nodes.length) {
            nodes = Arrays.copyOf(nodes, Growth.lengthFor(size, size));
        }
        nodes[size++] = node;
    }

    int pop() {
        return nodes[--size];
    }

    void clear() {
        size = 0;
    }
}
