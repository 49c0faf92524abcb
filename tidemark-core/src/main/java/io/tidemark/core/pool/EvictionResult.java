package io.tidemark.core.pool;

import java.util.Set;

/**
 * Answer to an {@link EvictionRequest}.
 *
 * @param bytesFreed allocated bytes given back by now
 * @param unwritten of a discard: backends that could not write its end in time, from which an older value of the key may be
 *     back after a restart; names
 */
public record EvictionResult(BlockKey key, long bytesFreed, EvictionOutcome outcome, Set<String> unwritten) {
    public EvictionResult {
        unwritten = Set.copyOf(unwritten);
    }

    /** One that nothing may bring back. */
    EvictionResult(BlockKey key, long bytesFreed, EvictionOutcome outcome) {
        this(key, bytesFreed, outcome, Set.of());
    }
}
