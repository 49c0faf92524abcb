package io.tidemark.index.prefix;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What routers are told: which blocks, by the hash of everything up to their end, came or went. */
public sealed interface CacheEvent {
    /**
     * Blocks that follow each other were stored.
     *
     * @param blockHashes one a page
     * @param parentBlockHash hash of the block before the first; empty at the start of a prompt
     * @param tokenIds token ids of the blocks; with bigrams both of each pair
     * @param blockSize page size
     * @param medium where they are
     * @param cacheSalt the salt of their namespace
     */
    record BlockStored(
            List<Long> blockHashes,
            OptionalLong parentBlockHash,
            List<Integer> tokenIds,
            int blockSize,
            Medium medium,
            Optional<String> cacheSalt)
            implements CacheEvent {}

    /**
     * Blocks were removed.
     *
     * @param blockHashes one a page, first to last of each node
     * @param medium from where
     */
    record BlockRemoved(List<Long> blockHashes, Medium medium) implements CacheEvent {}

    /** Everything was removed. */
    record AllBlocksCleared() implements CacheEvent {}

    /** Events were lost because nobody drained them: what a router knows of this tree is void. */
    record Resync() implements CacheEvent {}
}
