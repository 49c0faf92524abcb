package io.tidemark.index.prefix;

import java.util.Arrays;

/**
 * The edges of the tree. One hash table for all nodes finds a child by (parent, namespace, first page of tokens);
 * sibling lists go through the children of a node.
 *
 * <p>Open addressing with linear probing over int ids, at most half full; a node keeps its own hash, so that growth
 * and removal (backward shift) read no tokens. 0 is an empty slot: the root is nobody's child.
 */
final class Children {
    private static final int EMPTY = Nodes.ROOT;
    private static final int MIN_SLOTS = 256;

    private final Nodes nodes;
    private final KeyShape shape;
    private final Slices tokens;
    private int[] table;
    private int size;

    Children(Nodes nodes, KeyShape shape, Slices tokens, int expectedNodes) {
        this.nodes = nodes;
        this.shape = shape;
        this.tokens = tokens;
        this.table = new int[slotsFor(expectedNodes)];
    }

    /** The child of {@code parent} whose first page is the key's page at unit {@code at}, or {@link Nodes#NONE}. */
    int find(int parent, TokenKey key, int at) {
        int width = shape.childTokens();
        int hash = hash(parent, key.namespace(), key.tokens(), at, width);
        int mask = table.length - 1;
        for (int slot = hash & mask; table[slot] != EMPTY; slot = slot + 1 & mask) {
            int node = table[slot];
            if (nodes.hash(node) == hash
                    && nodes.parent(node) == parent
                    && nodes.namespace(node) == key.namespace()
                    && tokens.common(node, 0, key.tokens(), at, width) == width) {
                return node;
            }
        }
        return Nodes.NONE;
    }

    /** Makes the node, whose tokens are stored, a child of {@code parent}. */
    void attach(int parent, int node) {
        if ((size + 1) * 2 > table.length) {
            grow();
        }
        nodes.parent(node, parent);
        nodes.hash(node, hashOf(node));
        insert(node);
        size++;
        int first = nodes.firstChild(parent);
        nodes.nextSibling(node, first);
        nodes.previousSibling(node, Nodes.NONE);
        if (first != Nodes.NONE) {
            nodes.previousSibling(first, node);
        }
        nodes.firstChild(parent, node);
    }

    /** Takes the node off its parent. */
    void detach(int node) {
        removeSlot(slotOf(node));
        size--;
        int previous = nodes.previousSibling(node);
        int next = nodes.nextSibling(node);
        if (previous == Nodes.NONE) {
            nodes.firstChild(nodes.parent(node), next);
        } else {
            nodes.nextSibling(previous, next);
        }
        if (next != Nodes.NONE) {
            nodes.previousSibling(next, previous);
        }
    }

    void clear() {
        Arrays.fill(table, EMPTY);
        size = 0;
    }

    /** Heap bytes held. */
    long bytes() {
        return (long) table.length * Integer.BYTES;
    }

    private void insert(int node) {
        int mask = table.length - 1;
        int slot = nodes.hash(node) & mask;
        while (table[slot] != EMPTY) {
            slot = slot + 1 & mask;
        }
        table[slot] = node;
    }

    private int slotOf(int node) {
        int mask = table.length - 1;
        int slot = nodes.hash(node) & mask;
        while (table[slot] != node) {
            assert table[slot] != EMPTY : "node " + node + " is not in the child table";
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void removeSlot(int removed) {
        int mask = table.length - 1;
        int hole = removed;
        for (int slot = hole + 1 & mask; table[slot] != EMPTY; slot = slot + 1 & mask) {
            int home = nodes.hash(table[slot]) & mask;
            if ((slot - home & mask) >= (slot - hole & mask)) {
                table[hole] = table[slot];
                hole = slot;
            }
        }
        table[hole] = EMPTY;
    }

    private void grow() {
        int[] old = table;
        table = new int[old.length * 2];
        for (int node : old) {
            if (node != EMPTY) {
                insert(node);
            }
        }
    }

    private int hashOf(int node) {
        int hash = seed(nodes.parent(node), nodes.namespace(node));
        for (int i = 0; i < shape.childTokens(); i++) {
            hash = mix(hash, tokens.get(node, i));
        }
        return finish(hash);
    }

    private static int hash(int parent, int namespace, int[] tokens, int at, int width) {
        int hash = seed(parent, namespace);
        for (int i = 0; i < width; i++) {
            hash = mix(hash, tokens[at + i]);
        }
        return finish(hash);
    }

    private static int seed(int parent, int namespace) {
        return parent * 0x9E3779B1 + namespace;
    }

    private static int mix(int hash, int token) {
        return (Integer.rotateLeft(hash, 13) ^ token) * 0x85EBCA6B;
    }

    private static int finish(int hash) {
        int h = (hash ^ hash >>> 15) * 0x2C1B3C6D;
        return h ^ h >>> 13;
    }

    private static int slotsFor(int nodes) {
        int wanted = Math.max(MIN_SLOTS, (int) Math.min(1L << 30, 2L * nodes + 2));
        return Integer.highestOneBit(wanted - 1) << 1;
    }
}
