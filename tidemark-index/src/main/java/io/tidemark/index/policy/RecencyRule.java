package io.tidemark.index.policy;

/** What a {@link RecencyList} does with a node that is used. */
public enum RecencyRule {
    /** Least recently used first: a use sends the node to the far end. */
    LRU(true, false),
    /** Oldest first: only joining counts. */
    FIFO(false, false),
    /** Most recently used first: a use makes the node the next victim. */
    MRU(true, true),
    /** Newest first: joining makes the node the next victim, uses do not count. */
    FILO(false, true);

    private final boolean movesOnUse;
    private final boolean newestFirst;

    RecencyRule(boolean movesOnUse, boolean newestFirst) {
        this.movesOnUse = movesOnUse;
        this.newestFirst = newestFirst;
    }

    boolean movesOnUse() {
        return movesOnUse;
    }

    boolean newestFirst() {
        return newestFirst;
    }
}
