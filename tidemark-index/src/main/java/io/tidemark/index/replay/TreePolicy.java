package io.tidemark.index.replay;

import io.tidemark.index.policy.VictimOrder;

/** What orders the leaves of one {@link TreeTier}, and what the policy itself must remember for it. */
interface TreePolicy {
    /** The order of the tier's leaves; empty, asked for once. */
    VictimOrder order();

    /** A request is about to be served. */
    default void beginRequest(int request) {}

    /** The facts of a resident block have just been brought up to date for a use. */
    default void used(int block) {}

    /** The facts of a block that comes in have just been set. */
    default void stored(int block) {}

    /** The block is evicted. */
    default void evicted(int block) {}
}
