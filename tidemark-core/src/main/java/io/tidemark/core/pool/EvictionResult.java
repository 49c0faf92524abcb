package io.tidemark.core.pool;

/**
 * Answer to an {@link EvictionRequest}.
 *
 * @param bytesFreed allocated bytes given back by now
 */
public record EvictionResult(BlockKey key, long bytesFreed, EvictionOutcome outcome) {}
