package io.tidemark.core.pool;

/** A copy that was taken out of sight under the entry lock, without pins: to be freed after the lock. */
record Doomed(Backend backend, long copy) {}
