package io.tidemark.index.prefix;

/**
 * Hears of what the tree does to its nodes, before it is done, in order. Must not change the tree: calls that would are
 * refused. An exception ends the running call; the tree stays consistent, without the step that was announced.
 */
public interface TreeListener {
    /** Hears of nothing. */
    TreeListener NONE = new TreeListener() {};

    /** The walk chose a device leaf. */
    default void victim(int node) {}

    /** A backup to the host; not {@code granted} when the host has no room. */
    default void backup(int node, boolean granted) {}

    /** A backed-up leaf gives up its device slots. */
    default void demote(int node) {}

    /** A node that is no leaf loses its window values or its state, and what depends on them; its full values stay. */
    default void tombstone(int node) {}

    /** A device leaf is deleted. */
    default void delete(int node) {}

    /** A host leaf is evicted. */
    default void evictHost(int node) {}

    /** A node that is on the device too loses its host copy. */
    default void dropDuplicate(int node) {}

    /** Under write-back a victim found no room on the host: it is dropped with all below it, or stays. */
    default void dropSubtree(int node, boolean dropped) {}
}
