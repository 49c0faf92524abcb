package io.tidemark.index.prefix;

import io.tidemark.index.policy.NodeFacts;

/** What orders of their own memory may ask about nodes of a tree. */
record TreeFacts(Nodes nodes, PathIdentities identities) implements NodeFacts {
    /** Units of a path over which attention costs as much again as all else; 103 blocks of 512 tokens. */
    private static final long LINEAR_UNITS = 103 * 512;

    @Override
    public long lastAccess(int node) {
        return nodes.lastAccess(node);
    }

    @Override
    public long created(int node) {
        return nodes.created(node);
    }

    @Override
    public long hits(int node) {
        return nodes.hits(node);
    }

    @Override
    public long priority(int node) {
        return nodes.priority(node);
    }

    /** A tree holds whole pages. */
    @Override
    public boolean incompleteTail(int node) {
        return false;
    }

    @Override
    public long identity(int node) {
        return identities.of(node);
    }

    /** Of a unit at the node's depth: the share that every unit has, and attention to all units before it. */
    @Override
    public long cost(int node) {
        return LINEAR_UNITS + nodes.depth(node);
    }
}
