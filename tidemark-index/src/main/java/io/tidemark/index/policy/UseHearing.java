package io.tidemark.index.policy;

/**
 * An order that remembers uses of nodes that are no members. An owner whose nodes are used while they are none, the inner
 * nodes of a tree for example, tells it of every use.
 */
public interface UseHearing extends VictimOrder {
    /** The node was used, or its block came in; member or not. */
    void used(int node);
}
