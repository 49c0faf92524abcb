package io.tidemark.index.prefix;

/**
 * A second kind of values that nodes may hold beside the full ones, with locks, an order of eviction and a say in where
 * a match may end. A node of the tree without them is a <em>tombstone</em> of the component: its full values are there,
 * but the model could not go on from it.
 *
 * <p>The tree calls a component at fixed points of its own operations; components of one tree stand in order of rank,
 * and one that gives up a node's values takes those of lower rank with it.
 *
 * @param <V> the values of a request
 */
interface NodeComponent<V> {
    /** What the component keeps of nodes. */
    HeldValues held();

    /** Where matches may end; a rule of its own for each thread that matches. */
    MatchRule rule();

    /** A match ended at the node, a use of what the component holds there. */
    void matched(int end);

    /**
     * An insert brings units {@code from} to {@code to} of its key for a node that is on the device. May take some over,
     * from a unit on to the end.
     *
     * @return the first unit taken over, {@code to} for none
     */
    int overlapped(int node, int from, int to, Insertion<V> insertion);

    /** Units {@code from} to {@code to} of the request are duplicates: the tree holds others. */
    void duplicated(int from, int to, Insertion<V> insertion);

    /** An insert made a leaf of units {@code from} to {@code to} of its key. May split it. */
    void leafAdded(int leaf, int from, int to, Insertion<V> insertion);

    /** An insert ended at the node; a use. */
    void inserted(int end, boolean newLeaf, Insertion<V> insertion);

    /** The prefix, a new node, took the first {@code at} units of the suffix. */
    void split(int prefix, int suffix, int at);

    /** Keeps what a request at this node needs; answers the receipt of the lock. */
    int lock(int node);

    /** Gives back what {@link #lock} took. */
    void unlock(int node, int receipt);

    /** The node's values are freed; it has some and they are not locked. */
    void release(int node);

    /** Forgets all nodes, without freeing values. */
    void clear();

    /** Throws {@link IllegalStateException} when the node's facts contradict each other. */
    void check(int node);
}
