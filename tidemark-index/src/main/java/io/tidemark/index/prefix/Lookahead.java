package io.tidemark.index.prefix;

import io.tidemark.index.policy.VictimOrder;

/**
 * Reads ahead of a long walk what the eviction of its next victims will touch. The reads of several nodes do not depend
 * on each other, so that the processor waits for memory once for all of them and not for each in turn. Changes nothing.
 */
final class Lookahead {
    /** Nodes read at a time. */
    static final int AHEAD = 16;

    private final Nodes nodes;
    private final Children children;
    private final Slices tokens;
    private final SlotTable<?> slots;
    private final int[] next = new int[AHEAD];
    /** Keeps the compiler from leaving the reads out. */
    @SuppressWarnings("UnusedVariable")
    private int sum;

    Lookahead(TreeParts<?> tree) {
        this.nodes = tree.nodes();
        this.children = tree.children();
        this.tokens = tree.tokens();
        this.slots = tree.slots();
    }

    /** Reads the facts of the next nodes, then what these point to. */
    void read(VictimOrder order) {
        int count = order.upcoming(next);
        int read = 0;
        for (int i = 0; i < count; i++) {
            read += nodes.hash(next[i]) + tokens.run(next[i]);
        }
        for (int i = 0; i < count; i++) {
            int node = next[i];
            read += children.slot(node) + tokens.readAround(node) + nodes.length(nodes.parent(node));
            read += slots.readAhead(node);
            read += sibling(nodes.nextSibling(node)) + sibling(nodes.previousSibling(node));
            read += order.contains(nodes.parent(node)) ? 1 : 0;
        }
        for (int i = 0; i < count; i++) {
            read += tokens.readNeighbours(next[i]);
        }
        sum += read;
    }

    private int sibling(int node) {
        return node == Nodes.NONE ? 0 : nodes.length(node);
    }
}
