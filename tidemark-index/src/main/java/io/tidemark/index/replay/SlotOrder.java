package io.tidemark.index.replay;

import io.tidemark.index.policy.NodeFacts;
import io.tidemark.index.policy.VictimOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Hands blocks to an order under the numbers of slots, which are used again after an eviction: what an order sees in a
 * store, where nothing but a block's identity tells that it comes back.
 */
final class SlotOrder implements VictimOrder {
    private static final int NO_SLOT = -1;

    private final NodeFacts blocks;
    private final int[] slots;
    private final List<Integer> free = new ArrayList<>();
    private int[] inSlot = new int[1_024];
    private int used;
    private VictimOrder order = this;

    SlotOrder(Trace trace, NodeFacts blocks) {
        this.blocks = blocks;
        this.slots = new int[trace.uniqueBlocks()];
        Arrays.fill(slots, NO_SLOT);
    }

    /** The order of slots; before anything else. */
    void over(VictimOrder value) {
        order = value;
    }

    /** Slots that were ever taken: the most blocks held so far. */
    int most() {
        return used;
    }

    /** The slot of a block, which takes one if it has none. */
    int take(int block) {
        if (slots[block] == NO_SLOT) {
            int slot = free.isEmpty() ? used++ : free.removeLast();
            if (slot == inSlot.length) {
                inSlot = Arrays.copyOf(inSlot, slot * 2);
            }
            inSlot[slot] = block;
            slots[block] = slot;
        }
        return slots[block];
    }

    /** The block is gone. */
    void free(int block) {
        order.removed(slots[block]);
        free.add(slots[block]);
        slots[block] = NO_SLOT;
    }

    /** The facts by slot. */
    NodeFacts facts() {
        return new NodeFacts() {
            @Override
            public long lastAccess(int slot) {
                return blocks.lastAccess(inSlot[slot]);
            }

            @Override
            public long created(int slot) {
                return blocks.created(inSlot[slot]);
            }

            @Override
            public long hits(int slot) {
                return blocks.hits(inSlot[slot]);
            }

            @Override
            public long priority(int slot) {
                return blocks.priority(inSlot[slot]);
            }

            @Override
            public boolean incompleteTail(int slot) {
                return blocks.incompleteTail(inSlot[slot]);
            }

            @Override
            public long identity(int slot) {
                return blocks.identity(inSlot[slot]);
            }
        };
    }

    @Override
    public void added(int block) {
        order.added(slots[block]);
    }

    @Override
    public void touched(int block) {
        order.touched(slots[block]);
    }

    @Override
    public void touchedBehind(int block, int ahead) {
        order.touchedBehind(slots[block], ahead == NONE ? NONE : slots[ahead]);
    }

    @Override
    public void removed(int block) {
        if (slots[block] != NO_SLOT) {
            order.removed(slots[block]);
        }
    }

    @Override
    public boolean contains(int block) {
        return slots[block] != NO_SLOT && order.contains(slots[block]);
    }

    @Override
    public int size() {
        return order.size();
    }

    @Override
    public void beginWalk() {
        order.beginWalk();
    }

    @Override
    public int popNext() {
        int slot = order.popNext();
        return slot == NONE ? NONE : inSlot[slot];
    }

    @Override
    public void promote(int block) {
        order.promote(slots[block]);
    }

    @Override
    public void endWalk() {
        order.endWalk();
    }

    @Override
    public void clear() {
        order.clear();
    }
}
