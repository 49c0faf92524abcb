package io.tidemark.core.pool;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a writer knows of a block, for the eviction order. Hints never change what is stored.
 *
 * @param parent the block before this one in its chain
 * @param depth position in the chain, root = 0; -1 when unknown
 * @param incompleteTail the block is the unfinished end of a prompt and unlikely to be used again
 * @param priority higher stays longer under the policy {@code priority}
 * @param ttlMillis time to live
 */
public record PutHints(
        Optional<BlockKey> parent, int depth, boolean incompleteTail, int priority, OptionalLong ttlMillis) {
    public static final PutHints NONE = new PutHints(Optional.empty(), -1, false, 0, OptionalLong.empty());
}
