package io.tidemark.index.prefix;

/**
 * Cuts a node in two: a new node takes the first part and the node's place, the node keeps its id and the rest. So
 * whoever holds the id (a lock, a transfer, a session) still means the same end of the path.
 */
final class Splitter<V> {
    private final TreeParts<V> tree;
    private final Nodes nodes;

    Splitter(TreeParts<V> tree) {
        this.tree = tree;
        this.nodes = tree.nodes();
    }

    /**
     * Cuts {@code suffix} before unit {@code at} and answers the new prefix. The rest becomes newer than the prefix:
     * its last access is now.
     */
    int split(int suffix, int at) {
        assert at > 0 && at < nodes.length(suffix) : "cut at " + at + " of " + nodes.length(suffix);
        tree.stamp().begin();
        try {
            return cut(suffix, at);
        } finally {
            tree.stamp().end();
        }
    }

    private int cut(int suffix, int at) {
        int prefix = nodes.create();
        int parent = nodes.parent(suffix);
        copyFacts(prefix, suffix, at);
        tree.children().detach(suffix);
        tree.tokens().split(prefix, suffix, at);
        tree.events().split(prefix, suffix, at);
        nodes.length(prefix, at);
        nodes.length(suffix, nodes.length(suffix) - at);
        tree.children().attach(parent, prefix);
        tree.children().attach(prefix, suffix);
        tree.identities().number(prefix);
        splitCopies(prefix, suffix, at);
        tree.components().split(prefix, suffix, at);
        nodes.lastAccess(suffix, tree.clock().tick());
        // the prefix has a child with the same copies, so it is no leaf; the suffix is one if it was
        tree.leaves().used(suffix);
        return prefix;
    }

    private void copyFacts(int prefix, int suffix, int at) {
        nodes.namespace(prefix, nodes.namespace(suffix));
        tree.namespaces().nodeAdded(nodes.namespace(suffix));
        nodes.lastAccess(prefix, tree.clock().tick());
        nodes.created(prefix, nodes.created(suffix));
        nodes.locks(prefix, nodes.locks(suffix));
        nodes.sessions(prefix, nodes.sessions(suffix));
        nodes.hits(prefix, nodes.hits(suffix));
        nodes.priority(prefix, nodes.priority(suffix));
        nodes.depth(prefix, nodes.depth(suffix) - nodes.length(suffix) + at);
        nodes.branchDepth(prefix, nodes.branchDepth(suffix));
    }

    /** Both halves have the copies of the whole; neither sum over the device changes. */
    private void splitCopies(int prefix, int suffix, int at) {
        if (nodes.has(suffix, Nodes.DEVICE)) {
            nodes.set(prefix, Nodes.DEVICE);
            nodes.deviceChildren(prefix, 1);
            tree.slots().split(prefix, suffix, at, nodes.length(suffix));
        }
        if (tree.options().host().policy() != WritePolicy.NONE) {
            tree.host().split(prefix, suffix, at);
        }
    }
}
