package io.tidemark.server.resp.command;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.core.pool.EvictionOutcome;
import io.tidemark.core.pool.EvictionReason;
import io.tidemark.core.pool.EvictionRequest;
import io.tidemark.core.pool.Pool;
import io.tidemark.server.keys.KeyCodec;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes the blocks of one command and counts keys as Redis does: a key counts once if it was there. The two keys of a
 * pair are one block and go together, so the second one counts although it went with the first.
 */
final class Deletion {
    private final Pool pool;
    /** Keys that went with the other one of their pair and were not named yet. */
    private final Set<BlockKey> wentAlong = new HashSet<>();

    Deletion(Pool pool) {
        this.pool = pool;
    }

    /** Deletes the block of a key; whether the key counts. */
    boolean delete(BlockKey key) {
        if (wentAlong.remove(key)) {
            return true;
        }
        if (!pool.contains(key)) {
            return false;
        }
        Optional<BlockKey> other = KeyCodec.otherPart(key).filter(pool::contains);
        boolean deleted =
                pool.evict(EvictionRequest.of(key, EvictionReason.DELETED)).outcome() != EvictionOutcome.NONE;
        if (deleted) {
            other.ifPresent(wentAlong::add);
        }
        return deleted;
    }
}
