package io.tidemark.index.prefix;

import io.tidemark.index.policy.VictimOrder;

/**
 * Reads ahead of a walk what the eviction of its next victims will touch: a few nodes in advance, and of each node first
 * its facts, some steps later what these point to, and then what that points to. So no read waits for another one, and
 * the processor waits for memory once a step and not for each in turn. Changes nothing.
 *
 * <p>It remembers what it read when a walk ends, since the next one goes on there.
 */
final class Lookahead {
    /** Nodes that are read ahead. */
    private static final int DISTANCE = 6;
    /** A power of two. */
    private static final int RING = 8;

    private static final int MASK = RING - 1;
    /** Nodes that a step adds at most: a walk passes more nodes than it evicts. */
    private static final int ADDED = 2;

    private final Nodes nodes;
    private final Children children;
    private final Slices tokens;
    private final SlotTable<?> slots;

    /** Nodes that were read and have not been evicted, from {@link #first} to {@link #end}, counted without end. */
    private final int[] ring = new int[RING];

    private int first;
    private int end;
    private int strangers;
    /** Keeps the compiler from leaving the reads out. */
    @SuppressWarnings("UnusedVariable")
    private int sum;

    Lookahead(TreeParts<?> tree) {
        this.nodes = tree.nodes();
        this.children = tree.children();
        this.tokens = tree.tokens();
        this.slots = tree.slots();
    }

    /** The walk over the order has yielded the victim: reads what comes later. */
    void step(VictimOrder order, int victim) {
        pass(victim);
        int last = first == end ? VictimOrder.NONE : ring[end - 1 & MASK];
        for (int added = 0; added < ADDED && end - first < DISTANCE; added++) {
            last = order.following(last);
            if (last == VictimOrder.NONE) {
                return;
            }
            ring[end++ & MASK] = last;
            int read = nodes.hash(last) + tokens.run(last) + order.following(last);
            if (end - first > 1) {
                read += readBehind(ring[end - 2 & MASK]);
            }
            if (end - first > 2) {
                read += readAround(ring[end - 3 & MASK]);
            }
            sum += read;
        }
    }

    /** What the walk has passed need not be kept. Starts over when the walk goes on elsewhere. */
    private void pass(int victim) {
        for (int at = first; at != end; at++) {
            if (ring[at & MASK] == victim) {
                first = at + 1;
                strangers = 0;
                return;
            }
        }
        if (++strangers > DISTANCE) {
            first = end;
            strangers = 0;
        }
    }

    /** Reads what the facts of a node point to. */
    private int readBehind(int node) {
        if (!isHeld(node)) {
            return 0;
        }
        return children.slot(node)
                + tokens.readAround(node)
                + slots.readAhead(node)
                + lengthOf(nodes.parent(node))
                + lengthOf(nodes.nextSibling(node))
                + lengthOf(nodes.previousSibling(node));
    }

    /** Reads what joining the node's tokens with free room beside them will. */
    private int readAround(int node) {
        return isHeld(node) ? tokens.readNeighbours(node) : 0;
    }

    /** Whether there is still something to read: since the ring took it the node may have gone, or become another one. */
    private boolean isHeld(int node) {
        return nodes.isAlive(node) && nodes.has(node, Nodes.DEVICE);
    }

    private int lengthOf(int node) {
        return node == Nodes.NONE ? 0 : nodes.length(node);
    }
}
