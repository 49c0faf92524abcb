package io.tidemark.index.policy;

/**
 * An order of victims over {@code int} node ids, coldest first.
 *
 * <p>The owner tells it of every change of membership and of every change of a policy's inputs; the order answers
 * with a walk. During a walk keys are frozen: nodes that join, and key changes, count from {@link #endWalk} on,
 * except for a node that is {@linkplain #promote promoted}. A node that the walk yielded and that is still a member
 * at {@code endWalk} (a declined victim) is back in its place afterwards, and is yielded once a walk.
 *
 * <p>Not thread-safe: the owner guards it. No call allocates once the arrays have grown to the number of nodes.
 */
public interface VictimOrder {
    /** What {@link #popNext} answers when nothing is left. */
    int NONE = -1;

    /** The node became a member (it may be evicted). Counts as a use of it. No-op for a member. */
    void added(int node);

    /**
     * The node became a member again without a use (a victim that could not go): it is the next to go where recency
     * decides, else where its key says. No-op for a member.
     */
    default void addedColdest(int node) {
        added(node);
    }

    /** Inputs of the node's key changed (a use, a hit count, a priority). No-op for a non-member. */
    void touched(int node);

    /**
     * The node was used together with {@code ahead}, and must go before it of equal recency: the next block of a
     * chain behind its parent. Orders without recency treat it as {@link #touched}.
     */
    void touchedBehind(int node, int ahead);

    /** The node is no member any more. No-op for a non-member. */
    void removed(int node);

    /** Whether the node is a member. */
    boolean contains(int node);

    /** Number of members. */
    int size();

    /** Starts a walk. Throws {@link IllegalStateException} when one is running. */
    void beginWalk();

    /** Whether {@link #beginWalkAt} starts at the member that it is given. */
    default boolean walksFromAnywhere() {
        return false;
    }

    /**
     * Starts a walk at this member, as if those before it had been yielded; with the coldest where it is no member, or where
     * the order cannot do that.
     */
    default void beginWalkAt(int node) {
        beginWalk();
    }

    /** The coldest member not yet yielded in this walk, or {@link #NONE}. */
    int popNext();

    /**
     * Lets a node that joined during the walk (the parent of a victim) take part in it with its current key. No-op
     * for all others.
     */
    void promote(int node);

    /**
     * What the running walk is likely to come to behind a node, or {@link #NONE} to ask for what comes next, without yielding
     * it: a hint for who wants to read ahead.
     *
     * @return {@link #NONE} at the end, behind a node that is no longer there, and from orders that do not know
     */
    default int following(int node) {
        return NONE;
    }

    /** Ends the walk; legal after an exception in the middle of one. */
    void endWalk();

    /** Drops all members and ends a running walk. */
    void clear();
}
