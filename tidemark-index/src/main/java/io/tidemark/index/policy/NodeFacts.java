package io.tidemark.index.policy;

/**
 * What an order may ask its owner about a node. Ticks are any clock that never runs backwards; only their order
 * matters. After a fact changes the owner calls {@link VictimOrder#touched}.
 */
public interface NodeFacts {
    /** Tick of the last use. */
    long lastAccess(int node);

    /** Tick of the creation. */
    long created(int node);

    /**
     * Whether nodes leave the order and join again without being created again (a pinned copy). Orders by creation then go by
     * the tick of the creation, not by the order of joining.
     */
    default boolean joinsAgain() {
        return false;
    }

    /** Uses so far, as the owner counts them. */
    long hits(int node);

    /** Higher stays longer under the policy {@code priority}. */
    long priority(int node);

    /** Whether the node is the unfinished end of a prompt, unlikely to be used again as it is. */
    boolean incompleteTail(int node);

    /**
     * A number that is the same for a block whenever it comes back, whatever node it gets then. Owners that cannot tell
     * answer a number of the stay, so that every block is a new one to policies that remember.
     */
    default long identity(int node) {
        return created(node);
    }

    /** What it costs to make the node's block anew, for each unit of its size, in any unit above 0. */
    default long cost(int node) {
        return 1;
    }
}
