package io.tidemark.core.volume;

import java.util.Arrays;

/**
 * Finds slots by path: open addressing over slot numbers, linear probing, removal by shifting back, at most half full.
 * Guarded by the lock of the {@link ReadyBuffer}.
 */
final class ReadyIndex {
    private final ReadySlots slots;
    private int[] table = empty(1024);
    private int size;

    ReadyIndex(ReadySlots slots) {
        this.slots = slots;
    }

    private static int[] empty(int length) {
        int[] table = new int[length];
        Arrays.fill(table, ReadySlots.NONE);
        return table;
    }

    /** The slot of a path, or {@link ReadySlots#NONE}. */
    int find(int rank, PackedPath path, Name name, int hash) {
        int mask = table.length - 1;
        int at = hash & mask;
        while (table[at] != ReadySlots.NONE) {
            if (slots.matches(table[at], rank, path, name, hash)) {
                return table[at];
            }
            at = (at + 1) & mask;
        }
        return ReadySlots.NONE;
    }

    /** The slot of a file, or {@link ReadySlots#NONE}. */
    int find(VolumeFile file) {
        int mask = table.length - 1;
        int at = file.pathHash() & mask;
        while (table[at] != ReadySlots.NONE && !slots.holds(table[at], file)) {
            at = (at + 1) & mask;
        }
        return table[at];
    }

    void enter(int slot) {
        if (2 * (size + 1) > table.length) {
            grow();
        }
        insert(slot);
        size++;
    }

    private void insert(int slot) {
        int mask = table.length - 1;
        int at = slots.hash(slot) & mask;
        while (table[at] != ReadySlots.NONE) {
            at = (at + 1) & mask;
        }
        table[at] = slot;
    }

    private void grow() {
        int[] old = table;
        table = empty(old.length * 2);
        for (int slot : old) {
            if (slot != ReadySlots.NONE) {
                insert(slot);
            }
        }
    }

    void leave(int slot) {
        int mask = table.length - 1;
        int hole = slots.hash(slot) & mask;
        while (table[hole] != slot) {
            assert table[hole] != ReadySlots.NONE : "slot " + slot + " is not in the index";
            hole = (hole + 1) & mask;
        }
        int at = (hole + 1) & mask;
        while (table[at] != ReadySlots.NONE) {
            int home = slots.hash(table[at]) & mask;
            boolean mayMove = ((at - home) & mask) >= ((at - hole) & mask);
            if (mayMove) {
                table[hole] = table[at];
                hole = at;
            }
            at = (at + 1) & mask;
        }
        table[hole] = ReadySlots.NONE;
        size--;
    }
}
