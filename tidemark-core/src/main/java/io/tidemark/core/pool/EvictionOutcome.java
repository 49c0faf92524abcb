package io.tidemark.core.pool;

/** What became of an {@link EvictionRequest}. */
public enum EvictionOutcome {
    /** The bytes are free, or, for a pinned copy that was discarded, will be when its last pin closes. */
    FREED,
    /** A demotion of the copy is queued; its bytes follow when it is done. */
    DEMOTION_QUEUED,
    /** The copy is already on its way out. */
    IN_FLIGHT,
    /** No such copy, or it may not go now (pinned, moving, leased last copy). */
    NONE
}
