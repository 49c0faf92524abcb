package io.tidemark.index.policy;

import java.util.Arrays;

/** An LRU of identities alone, to know what plain LRU would have held; 24 to 32 bytes a block. */
final class ShadowLru {
    private static final int EMPTY = -1;
    private static final int FIRST_LENGTH = 256;

    private final RecencyList order = new RecencyList(RecencyRule.LRU);
    private final PagedLongs identities = new PagedLongs();
    private final NodeStack free = new NodeStack();
    private int[] table = emptyTable(FIRST_LENGTH);
    private int size;

    /** Uses the block, and takes it in if it was not there; answers whether it was. Holds {@code capacity} blocks. */
    boolean reference(long identity, int capacity) {
        int slot = slotOf(identity);
        if (table[slot] != EMPTY) {
            order.touched(table[slot]);
            return true;
        }
        while (size > 0 && size >= capacity) {
            evict();
        }
        insert(identity);
        return false;
    }

    private void insert(long identity) {
        if ((size + 1) * 2 > table.length) {
            grow();
        }
        int node = free.isEmpty() ? size : free.pop();
        identities.set(node, identity);
        table[slotOf(identity)] = node;
        order.added(node);
        size++;
    }

    private void evict() {
        order.beginWalk();
        int node = order.popNext();
        order.removed(node);
        order.endWalk();
        removeSlot(slotOf(identities.get(node)));
        free.push(node);
        size--;
    }

    /** The slot where the identity is, or an empty one. */
    private int slotOf(long identity) {
        int mask = table.length - 1;
        int slot = home(identity) & mask;
        while (table[slot] != EMPTY && identities.get(table[slot]) != identity) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void removeSlot(int removed) {
        int mask = table.length - 1;
        int hole = removed;
        for (int slot = (hole + 1) & mask; table[slot] != EMPTY; slot = (slot + 1) & mask) {
            int home = home(identities.get(table[slot])) & mask;
            if (((slot - home) & mask) >= ((slot - hole) & mask)) {
                table[hole] = table[slot];
                hole = slot;
            }
        }
        table[hole] = EMPTY;
    }

    private void grow() {
        int[] old = table;
        table = emptyTable(old.length * 2);
        for (int node : old) {
            if (node != EMPTY) {
                table[slotOf(identities.get(node))] = node;
            }
        }
    }

    private static int home(long identity) {
        return (int) ((identity * 0x9E3779B97F4A7C15L) >>> 33);
    }

    private static int[] emptyTable(int length) {
        int[] table = new int[length];
        Arrays.fill(table, EMPTY);
        return table;
    }
}
