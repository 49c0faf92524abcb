package io.tidemark.server.replay;

import io.tidemark.index.replay.Trace;

/** The blocks of one request of a trace, root first. */
record Chain(Trace trace, int request) {
    /** Number of blocks. */
    int length() {
        return trace.end(request) - trace.start(request);
    }

    /** Number of the block at that place, 0 at the root. */
    int block(int index) {
        return trace.block(trace.start(request) + index);
    }

    /** Whether that block ended the prompt that showed it first before it was full. */
    boolean isIncompleteTail(int index) {
        return trace.isIncompleteTail(block(index));
    }

    /** Prompt tokens in the first {@code blocks} blocks. */
    long tokens(int blocks) {
        return Math.min(trace.inputTokens(request), (long) blocks * Trace.TOKENS_PER_BLOCK);
    }
}
