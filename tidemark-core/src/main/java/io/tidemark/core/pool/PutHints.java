package io.tidemark.core.pool;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a writer knows of a block, for the eviction order. Hints never change what is stored, but for a life that is over.
 *
 * @param parent the block before this one in its chain
 * @param incompleteTail the block is the unfinished end of a prompt and unlikely to be used again
 * @param priority higher stays longer under the policy {@code priority}
 * @param ttlMillis time to live; empty: without end; 0 or less: over already, so the put only deletes what its key holds
 * @param keepsLife a block that is there keeps the time to live it has, and {@code ttlMillis} is for a new one
 */
public record PutHints(
        Optional<BlockKey> parent, boolean incompleteTail, int priority, OptionalLong ttlMillis, boolean keepsLife) {
    public static final PutHints NONE = new PutHints(Optional.empty(), false, 0, OptionalLong.empty());

    /** Hints with a life of their own. */
    public PutHints(Optional<BlockKey> parent, boolean incompleteTail, int priority, OptionalLong ttlMillis) {
        this(parent, incompleteTail, priority, ttlMillis, false);
    }

    /** Whether the life of the block is over before it begins. */
    boolean lifeIsOver() {
        return !keepsLife && ttlMillis.isPresent() && ttlMillis.getAsLong() <= 0;
    }

    /** The same for a block that keeps the time to live it has. */
    public PutHints keepingLife() {
        return new PutHints(parent, incompleteTail, priority, ttlMillis, true);
    }
}
