package io.tidemark.index.prefix;

/**
 * Stores a key: walks the part that is there, takes over or gives back its values, and adds the rest as one new leaf.
 *
 * <p>An insert is a use of the path, root first, and the only thing that counts hits and raises priorities. With a
 * write-through host tier it backs nodes up on its way.
 */
final class Inserter<V> {
    private final TreeParts<V> tree;
    private final Nodes nodes;
    private final Splitter<V> splitter;
    private final Backups<V> backups;

    private int node;
    private int at;

    Inserter(TreeParts<V> tree, Splitter<V> splitter, Backups<V> backups) {
        this.tree = tree;
        this.nodes = tree.nodes();
        this.splitter = splitter;
        this.backups = backups;
    }

    /** Stores the key's whole pages and fills the results. */
    void insert(TokenKey key, Insertion<V> insertion) {
        nodes.lastAccess(Nodes.ROOT, tree.clock().tick());
        insertBelow(Nodes.ROOT, key, insertion);
    }

    /** Stores the key, whose first unit follows the node's last, below the node; a use of what lies below it only. */
    void insertBelow(int start, TokenKey key, Insertion<V> insertion) {
        int units = tree.shape().units(key.length());
        node = start;
        at = 0;
        insertion.begin();
        requireWholePages(insertion.windowStart());
        int prefixLength;
        try {
            walk(key, units, insertion);
            prefixLength = at;
            if (at < units) {
                addLeaf(key, units, insertion);
            }
            tree.components().inserted(node, prefixLength < units, insertion);
        } finally {
            tree.leaves().pathUsed(node, start);
        }
        insertion.result(prefixLength, node);
    }

    private void requireWholePages(int windowStart) {
        if (windowStart % tree.shape().pageSize() != 0) {
            throw new IllegalArgumentException("the window's values start at unit " + windowStart
                    + ", expected a multiple of the page size, " + tree.shape().pageSize());
        }
    }

    private void walk(TokenKey key, int units, Insertion<V> insertion) {
        while (at < units) {
            int child = tree.children().find(node, key, at);
            if (child == Nodes.NONE) {
                return;
            }
            nodes.lastAccess(child, tree.clock().tick());
            int common = tree.commonUnits(child, key, at, units);
            node = common < nodes.length(child) ? splitter.split(child, common) : child;
            int from = at;
            at += common;
            overlap(from, insertion);
        }
    }

    /** The request brings values for a node that the tree has. */
    private void overlap(int from, Insertion<V> insertion) {
        nodes.priority(node, Math.max(nodes.priority(node), insertion.priority()));
        if (nodes.has(node, Nodes.DEVICE)) {
            giveBack(from, tree.components().overlapped(node, from, at, insertion), insertion);
        } else {
            adopt(from, insertion);
            tree.host().duplicates().track(node);
        }
        count(at, insertion);
    }

    /** Values of the request that the tree has go back, but for those that are the tree's own. */
    private void giveBack(int from, int to, Insertion<V> insertion) {
        int first = Math.max(from, Math.min(to, insertion.protectedLength()));
        if (first < to) {
            tree.slots().reject(insertion.values(), first, to - first);
            tree.components().duplicated(first, to, insertion);
            insertion.gaveBack(to - first);
        }
    }

    private void addLeaf(TokenKey key, int units, Insertion<V> insertion) {
        int parent = node;
        int from = at;
        int leaf = nodes.create();
        tree.tokens().store(leaf, key.tokens(), from, units - from);
        nodes.namespace(leaf, key.namespace());
        tree.namespaces().nodeAdded(key.namespace());
        nodes.length(leaf, units - from);
        nodes.priority(leaf, insertion.priority());
        nodes.lastAccess(leaf, tree.clock().tick());
        nodes.created(leaf, tree.clock().tick());
        nodes.depth(leaf, nodes.depth(parent) + units - from);
        tree.children().attach(parent, leaf);
        tree.events().hash(leaf);
        tree.identities().number(leaf);
        raiseBranch(leaf);
        node = leaf;
        at = units;
        adopt(from, insertion);
        tree.components().leafAdded(leaf, from, at, insertion);
        // a leaf that a component cut is counted by the end of a leaf as long as what is left of it, as upstream does
        count(from + nodes.length(leaf), insertion);
    }

    /** The node takes the request's values from unit {@code from} to {@link #at}. */
    private void adopt(int from, Insertion<V> insertion) {
        tree.slots().adopt(node, insertion.values(), from, at - from);
        tree.residency().deviceGained(node);
        tree.leaves().refresh(node);
        tree.leaves().refresh(nodes.parent(node));
        tree.events().stored(node, Medium.GPU);
    }

    /** One hit for a node that ends at unit {@code end} unless an earlier insert of the request counted it. */
    private void count(int end, Insertion<V> insertion) {
        if (end <= insertion.countedLength() || tree.options().host().policy() == WritePolicy.WRITE_BACK) {
            return;
        }
        nodes.hits(node, nodes.hits(node) + 1);
        if (tree.options().host().policy().writesThrough()) {
            backups.afterHit(node);
        }
    }

    /** The new leaf's depth is part of the history of every branch that leads to it. */
    private void raiseBranch(int leaf) {
        int depth = nodes.depth(leaf);
        nodes.branchDepth(leaf, depth);
        for (int up = nodes.parent(leaf); up != Nodes.NONE && nodes.branchDepth(up) < depth; up = nodes.parent(up)) {
            nodes.branchDepth(up, depth);
        }
    }
}
