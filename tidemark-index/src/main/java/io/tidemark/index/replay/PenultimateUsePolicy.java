package io.tidemark.index.replay;

import io.tidemark.index.policy.KeyFunction;
import io.tidemark.index.policy.Keys;

/**
 * LRU-2 with a memory of four cache fills: a block ranks by its use before the last. What was evicted is remembered
 * until four times the capacity has come in since its last use; a block that comes in unremembered ranks lowest.
 */
final class PenultimateUsePolicy implements KeyedPolicy {
    private static final int FILLS_REMEMBERED = 4;

    private final BlockState state;
    private final long memory;
    private final int[] penultimate;
    private final int[] last;
    private final long[] storedAtLast;
    private final KeyFunction key;
    private long stored;

    PenultimateUsePolicy(Trace trace, BlockState state, int capacity) {
        this.state = state;
        this.memory = (long) FILLS_REMEMBERED * capacity;
        this.penultimate = new int[trace.uniqueBlocks()];
        this.last = new int[trace.uniqueBlocks()];
        this.storedAtLast = new long[trace.uniqueBlocks()];
        this.key = Keys.two(block -> penultimate[block], state::lastAccess);
    }

    @Override
    public KeyFunction key() {
        return key;
    }

    @Override
    public void used(int block) {
        remember(block, last[block]);
    }

    @Override
    public void stored(int block) {
        boolean remembered = last[block] > 0 && stored - storedAtLast[block] <= memory;
        remember(block, remembered ? last[block] : 0);
        stored++;
    }

    private void remember(int block, int useBefore) {
        penultimate[block] = useBefore;
        last[block] = (int) state.lastAccess(block);
        storedAtLast[block] = stored;
    }
}
