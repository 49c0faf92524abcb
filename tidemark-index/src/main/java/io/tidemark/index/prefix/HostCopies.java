package io.tidemark.index.prefix;

/**
 * What belongs to the host copies of nodes.
 *
 * @param tier the allocator
 * @param fields per-node facts
 * @param locks locks of single copies
 * @param duplicates nodes with both copies
 */
record HostCopies(Nodes nodes, HostTier tier, HostFields fields, HostLocks locks, Duplicates duplicates) {
    /** The prefix, a new node, gets its part of the suffix's host copy, and shares its locks and transfers. */
    void split(int prefix, int suffix, int at) {
        if (nodes.has(suffix, Nodes.HOST)) {
            nodes.set(prefix, Nodes.HOST);
            tier.split(prefix, suffix, at);
        }
        fields.write(prefix, fields.write(suffix));
        fields.load(prefix, fields.load(suffix));
        locks.split(prefix, suffix);
        duplicates.track(prefix);
    }

    /** The node's host copy is given up. */
    void drop(int node) {
        nodes.clear(node, Nodes.HOST);
        tier.release(node, nodes.length(node));
    }
}
