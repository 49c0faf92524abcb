package io.tidemark.index.prefix;

/**
 * Locks of host copies. A lock counts on one node; a split leaves the count on both halves and hands the boundary mark
 * to the upper one, where the release stops.
 */
final class HostLocks {
    /** The receipt when there was nothing to lock. */
    static final int NOT_LOCKED = Nodes.NONE;

    private final Nodes nodes;
    private final HostFields fields;
    private final LeafSets leaves;
    private final boolean writeBack;
    private int marks;

    HostLocks(Nodes nodes, HostFields fields, LeafSets leaves, WritePolicy policy) {
        this.nodes = nodes;
        this.fields = fields;
        this.leaves = leaves;
        this.writeBack = policy == WritePolicy.WRITE_BACK;
    }

    /** Locks the node's host copy; the receipt goes to {@link #unlock}. */
    int lock(int node) {
        if (!isLockable(node)) {
            return NOT_LOCKED;
        }
        if (fields.boundary(node) == NOT_LOCKED) {
            fields.boundary(node, marks++);
        }
        nodes.hostLocks(node, nodes.hostLocks(node) + 1);
        leaves.refresh(node);
        return fields.boundary(node);
    }

    /** Releases what {@link #lock} locked, over all pieces that the node was split into since. */
    void unlock(int node, int receipt) {
        int at = receipt == NOT_LOCKED ? Nodes.ROOT : node;
        while (at != Nodes.ROOT && isLockable(at)) {
            nodes.hostLocks(at, nodes.hostLocks(at) - 1);
            leaves.refresh(at);
            at = fields.boundary(at) == receipt ? Nodes.ROOT : nodes.parent(at);
        }
    }

    void split(int prefix, int suffix) {
        nodes.hostLocks(prefix, nodes.hostLocks(suffix));
        fields.boundary(prefix, fields.boundary(suffix));
        fields.boundary(suffix, NOT_LOCKED);
    }

    private boolean isLockable(int node) {
        return nodes.has(node, Nodes.HOST) || writeBack;
    }
}
