package io.tidemark.index.prefix;

import java.util.Arrays;

/**
 * The edges of the tree. One hash table for all nodes finds a child by (parent, namespace, first page of tokens);
 * sibling lists go through the children of a node.
 *
 * <p>Open addressing with linear probing, at most half full, removal by backward shift. A slot holds hash and id, so that
 * only a probable hit touches a node. 0 is an empty slot: the root is nobody's child.
 *
 * <pre>  hash (32) | node (32)</pre>
 */
final class Children {
    private static final long EMPTY = Nodes.ROOT;
    private static final int MIN_SLOTS = 256;

    private final Nodes nodes;
    private final KeyShape shape;
    private final Slices tokens;
    private long[] table;
    private int size;

    Children(Nodes nodes, KeyShape shape, Slices tokens, int expectedNodes) {
        this.nodes = nodes;
        this.shape = shape;
        this.tokens = tokens;
        this.table = new long[slotsFor(expectedNodes)];
    }

    /** The child of {@code parent} whose first page is the key's page at unit {@code at}, or {@link Nodes#NONE}. */
    int find(int parent, TokenKey key, int at) {
        int width = shape.childTokens();
        int hash = hash(parent, key.namespace(), key.tokens(), at, width);
        long[] entries = table; // a reader beside the writer may meet two tables, and one that seems full
        int mask = entries.length - 1;
        int slot = hash & mask;
        for (int left = entries.length; left > 0 && entries[slot] != EMPTY; left--) {
            long entry = entries[slot];
            if (hashIn(entry) == hash && isChild(nodeIn(entry), parent, key, at, width)) {
                return nodeIn(entry);
            }
            slot = (slot + 1) & mask;
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
        insert(entry(node));
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

    /** What the table has where the node belongs. */
    int slot(int node) {
        return (int) table[nodes.hash(node) & (table.length - 1)];
    }

    void clear() {
        Arrays.fill(table, EMPTY);
        size = 0;
    }

    /** Heap bytes held. */
    long bytes() {
        return (long) table.length * Long.BYTES;
    }

    private boolean isChild(int node, int parent, TokenKey key, int at, int width) {
        return nodes.parent(node) == parent
                && nodes.namespace(node) == key.namespace()
                && tokens.common(node, 0, key.tokens(), at, width) == width;
    }

    private void insert(long entry) {
        int mask = table.length - 1;
        int slot = hashIn(entry) & mask;
        while (table[slot] != EMPTY) {
            slot = (slot + 1) & mask;
        }
        table[slot] = entry;
    }

    private int slotOf(int node) {
        long entry = entry(node);
        int mask = table.length - 1;
        int slot = hashIn(entry) & mask;
        while (table[slot] != entry) {
            assert table[slot] != EMPTY : "node " + node + " is not in the child table";
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void removeSlot(int removed) {
        int mask = table.length - 1;
        int hole = removed;
        for (int slot = (hole + 1) & mask; table[slot] != EMPTY; slot = (slot + 1) & mask) {
            int home = hashIn(table[slot]) & mask;
            if (((slot - home) & mask) >= ((slot - hole) & mask)) {
                table[hole] = table[slot];
                hole = slot;
            }
        }
        table[hole] = EMPTY;
    }

    private void grow() {
        long[] old = table;
        table = new long[old.length * 2];
        for (long entry : old) {
            if (entry != EMPTY) {
                insert(entry);
            }
        }
    }

    private long entry(int node) {
        return (long) nodes.hash(node) << Integer.SIZE | node;
    }

    private static int hashIn(long entry) {
        return (int) (entry >>> Integer.SIZE);
    }

    private static int nodeIn(long entry) {
        return (int) entry;
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
