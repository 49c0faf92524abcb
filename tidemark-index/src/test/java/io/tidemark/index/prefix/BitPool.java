package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A pool of slots that notices what is freed twice, and lists what came back. */
final class BitPool implements SlotPool {
    private final int capacity;
    private final BitSet free = new BitSet();
    private final List<Integer> freed = new ArrayList<>();

    BitPool(int capacity) {
        this.capacity = capacity;
        free.set(0, capacity);
    }

    int free() {
        return free.cardinality();
    }

    /** A free slot from either end: runs of slots are broken now and then. */
    int take(boolean first) {
        int slot = first ? free.nextSetBit(0) : free.previousSetBit(capacity);
        free.clear(slot);
        return slot;
    }

    /** What came back since the last call, in order. */
    List<Integer> drainFreed() {
        List<Integer> drained = List.copyOf(freed);
        freed.clear();
        return drained;
    }

    @Override
    public void free(int first, int count) {
        for (int slot = first; slot < first + count; slot++) {
            assertThat(free.get(slot)).as("slot %d freed twice", slot).isFalse();
            free.set(slot);
            freed.add(slot);
        }
    }

    @Override
    public void allocate(int[] target, int count) {
        throw new AssertionError("nothing is loaded back from a host that is not there");
    }
}
