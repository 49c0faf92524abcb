package io.tidemark.index.replay;

import io.tidemark.index.policy.KeyFunction;
import io.tidemark.index.policy.LazyHeap;
import io.tidemark.index.policy.VictimOrder;

/** A policy that is a key over the facts and its own memory. */
interface KeyedPolicy extends TreePolicy {
    /** The key. */
    KeyFunction key();

    @Override
    default VictimOrder order() {
        return new LazyHeap(key());
    }

    /** A policy that is nothing but its key. */
    static KeyedPolicy of(KeyFunction key) {
        return () -> key;
    }
}
