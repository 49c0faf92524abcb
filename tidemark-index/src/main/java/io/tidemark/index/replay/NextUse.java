package io.tidemark.index.replay;

import io.tidemark.index.policy.KeyFunction;
import io.tidemark.index.policy.Keys;
import java.util.Arrays;

/** What no server has: when a block will be used again. Positions and requests beyond the trace mean never. */
final class NextUse {
    private final Trace trace;
    private final int[] nextPosition;
    private final int[] next;

    NextUse(Trace trace) {
        this.trace = trace;
        this.nextPosition = new int[trace.references()];
        this.next = new int[trace.uniqueBlocks()];
        Arrays.fill(next, Integer.MAX_VALUE);
        for (int position = trace.references() - 1; position >= 0; position--) {
            int block = trace.block(position);
            nextPosition[position] = next[block];
            next[block] = position;
        }
    }

    /** The block is used at this position: from now on its next use is the one after. */
    void passed(int position) {
        next[trace.block(position)] = nextPosition[position];
    }

    /** Latest next use first. */
    KeyFunction farthestFirst() {
        return Keys.one(block -> -(long) next[block]);
    }
}
