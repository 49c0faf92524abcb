package io.tidemark.server.record;

import io.tidemark.core.pool.BlockKey;
import io.tidemark.index.replay.UseKind;
import java.util.Optional;

/**
 * What a client did with a block.
 *
 * @param nanos monotonic time
 * @param client number of the connection
 * @param joined whether it belongs to the same batch as the client's use before it
 * @param key empty where it concerns all blocks
 * @param parent the block before it in its chain, where the client said so
 * @param bytes size of the value; 0 where it is not known
 * @param tail whether the client said that the block is the unfinished end of a prompt
 * @param ttlMillis time to live that was set, {@link io.tidemark.index.replay.Use#NO_TTL} without
 */
public record BlockUse(
        long nanos,
        long client,
        UseKind kind,
        boolean joined,
        Optional<BlockKey> key,
        Optional<BlockKey> parent,
        long bytes,
        boolean tail,
        long ttlMillis) {
    private static final long OVERHEAD_BYTES = 128;

    /** Heap that it holds, about. */
    long weight() {
        return OVERHEAD_BYTES + length(key) + length(parent);
    }

    private static int length(Optional<BlockKey> key) {
        return key.isPresent() ? key.get().bytes().length : 0;
    }
}
