package io.tidemark.index.replay;

import io.tidemark.index.policy.KeyFunction;
import io.tidemark.index.policy.Keys;

/**
 * Frequency with an age that rises by itself: a block's worth is fixed at its last use, as its value then on top of
 * the worth of the dearest victim so far. What is not used again is overtaken.
 */
final class AgedPolicy implements KeyedPolicy {
    /** What a block is worth by itself. */
    interface Value {
        long of(int block);
    }

    private final Value value;
    private final long[] worth;
    private final KeyFunction key;
    private long age;

    AgedPolicy(Trace trace, BlockState state, Value value) {
        this.value = value;
        this.worth = new long[trace.uniqueBlocks()];
        this.key = Keys.two(block -> worth[block], state::lastAccess);
    }

    @Override
    public KeyFunction key() {
        return key;
    }

    @Override
    public void used(int block) {
        worth[block] = age + value.of(block);
    }

    @Override
    public void stored(int block) {
        used(block);
    }

    @Override
    public void evicted(int block) {
        age = Math.max(age, worth[block]);
    }
}
