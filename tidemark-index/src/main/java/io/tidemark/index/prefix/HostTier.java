package io.tidemark.index.prefix;

/** The host tier's allocator. Called from the tree's one writer only; must not call the tree back. */
public interface HostTier {
    /** Units that {@link #reserve} could grant now. */
    long freeUnits();

    /** Takes room for the node; false when there is none. */
    boolean reserve(int node, int length);

    /** The first {@code at} units of {@code suffix}'s room become the room of {@code prefix}, a new node. */
    void split(int prefix, int suffix, int at);

    /** The node's room is free again. */
    void release(int node, int length);

    /** Forgets all nodes; all room is free. */
    void clear();
}
