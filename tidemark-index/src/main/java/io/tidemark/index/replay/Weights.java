package io.tidemark.index.replay;

import java.util.function.IntToLongFunction;

/**
 * What each block takes of a cache.
 *
 * @param byBlock by number of the block
 * @param average over the blocks of the trace, at least 1
 */
record Weights(IntToLongFunction byBlock, long average) {
    /** Each block is one. */
    static final Weights BLOCKS = new Weights(block -> 1, 1);

    /** A block is as large as the trace says. */
    static Weights bytes(Trace trace) {
        return new Weights(trace::bytes, Math.max(1, trace.uniqueBytes() / Math.max(1, trace.uniqueBlocks())));
    }

    long of(int block) {
        return byBlock.applyAsLong(block);
    }
}
