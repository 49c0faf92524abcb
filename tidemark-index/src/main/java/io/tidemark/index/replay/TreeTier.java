package io.tidemark.index.replay;

import io.tidemark.index.policy.VictimOrder;
import java.util.function.IntConsumer;

/**
 * The blocks that one tier holds, as a forest: only leaves, blocks without a child in the tier, may leave, the one
 * with the smallest key first. A parent becomes a leaf with the departure of its last child and competes at once.
 */
final class TreeTier {
    private final Trace trace;
    private final TreePolicy policy;
    private final Weights weights;
    private final VictimOrder leaves;
    private final boolean[] held;
    private final int[] children;
    private int locked = Trace.NO_BLOCK;
    private long used;

    TreeTier(Trace trace, TreePolicy policy, Weights weights) {
        this.trace = trace;
        this.policy = policy;
        this.weights = weights;
        this.leaves = policy.order();
        this.held = new boolean[trace.uniqueBlocks()];
        this.children = new int[trace.uniqueBlocks()];
    }

    boolean holds(int block) {
        return held[block];
    }

    /** What the blocks take that are held. */
    long used() {
        return used;
    }

    void beginRequest(int request) {
        policy.beginRequest(request);
    }

    /** Keeps this block, and by it its ancestors, until the next call; {@link Trace#NO_BLOCK} for none. */
    void lock(int block) {
        int before = locked;
        locked = block;
        refresh(before);
        refresh(block);
    }

    /** The facts of a block changed by a use. */
    void used(int block) {
        policy.used(block);
        leaves.touched(block);
    }

    /** Takes a block in, whose facts have just been set. */
    void store(int block) {
        policy.stored(block);
        held[block] = true;
        used += weights.of(block);
        int parent = trace.parent(block);
        if (parent != Trace.NO_BLOCK) {
            children[parent]++;
            refresh(parent);
        }
        refresh(block);
    }

    /** Gives a block away. */
    void take(int block) {
        held[block] = false;
        used -= weights.of(block);
        leaves.removed(block);
        int parent = trace.parent(block);
        if (parent != Trace.NO_BLOCK) {
            children[parent]--;
            refresh(parent);
        }
    }

    /** Evicts leaves until no more than {@code target} is used, or no leaf is left. */
    void evictDownTo(long target, IntConsumer evicted) {
        if (used <= target) {
            return;
        }
        leaves.beginWalk();
        try {
            for (int victim = leaves.popNext(); victim != VictimOrder.NONE; victim = leaves.popNext()) {
                policy.evicted(victim);
                take(victim);
                evicted.accept(victim);
                if (used <= target) {
                    return;
                }
                if (trace.parent(victim) != Trace.NO_BLOCK) {
                    leaves.promote(trace.parent(victim));
                }
            }
        } finally {
            leaves.endWalk();
        }
    }

    private void refresh(int block) {
        if (block == Trace.NO_BLOCK) {
            return;
        }
        if (held[block] && children[block] == 0 && block != locked) {
            leaves.added(block);
        } else {
            leaves.removed(block);
        }
    }
}
