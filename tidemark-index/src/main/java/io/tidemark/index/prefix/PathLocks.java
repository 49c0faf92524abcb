package io.tidemark.index.prefix;

/**
 * Locks of device slots. A lock counts on every node from the locked one to the root, so that a split in between keeps
 * the count right by copying it.
 */
final class PathLocks {
    private final Nodes nodes;
    private final Residency residency;
    private final LeafSets leaves;

    PathLocks(Nodes nodes, Residency residency, LeafSets leaves) {
        this.nodes = nodes;
        this.residency = residency;
        this.leaves = leaves;
    }

    /** Locks the path from the node to the root; nothing for the root itself. */
    void lock(int node) {
        for (int at = node; at != Nodes.ROOT; at = nodes.parent(at)) {
            residency.lock(at, 1);
            if (nodes.locks(at) == 1) {
                leaves.refresh(at);
            }
        }
    }

    /** Takes one lock off the path from the node to the root. */
    void unlock(int node) {
        for (int at = node; at != Nodes.ROOT; at = nodes.parent(at)) {
            residency.lock(at, -1);
            if (nodes.locks(at) == 0) {
                leaves.refresh(at);
            }
        }
    }
}
