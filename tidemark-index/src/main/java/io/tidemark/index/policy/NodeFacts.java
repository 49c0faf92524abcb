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
}
