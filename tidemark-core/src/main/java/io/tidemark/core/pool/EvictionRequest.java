package io.tidemark.core.pool;

import java.util.Optional;

/**
 * Asks for one copy of a block to be freed. A backend wins over a tier; without either, CAPACITY means the placement
 * and a discard is repeated for every copy. A copy that is not there frees nothing and touches no other copy.
 */
public record EvictionRequest(BlockKey key, Optional<String> tier, Optional<String> backend, EvictionReason reason) {
    /** The placement (CAPACITY) or every copy (discards) of the block. */
    public static EvictionRequest of(BlockKey key, EvictionReason reason) {
        return new EvictionRequest(key, Optional.empty(), Optional.empty(), reason);
    }
}
