package io.tidemark.index.replay;

import io.tidemark.index.policy.KeyFunction;

/** What orders the leaves of a {@link TreeTier}: a key, and what the policy itself must remember. */
interface TreePolicy {
    /** The key, over the facts and the policy's own memory. */
    KeyFunction key();

    /** The facts of a resident block have just been brought up to date for a use. */
    default void used(int block) {}

    /** The facts of a block that comes in have just been set. */
    default void stored(int block) {}

    /** The block is evicted. */
    default void evicted(int block) {}

    /** A policy that is its key. */
    static TreePolicy of(KeyFunction key) {
        return () -> key;
    }
}
