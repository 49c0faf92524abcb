package io.tidemark.bench.index;

import io.tidemark.index.prefix.SlotPool;

/** A pool of slots as a stack: what was freed last is handed out first. */
final class SlotStack implements SlotPool {
    private final int[] slots;
    private int size;

    SlotStack(int capacity) {
        slots = new int[capacity];
        for (int i = 0; i < capacity; i++) {
            slots[i] = capacity - 1 - i;
        }
        size = capacity;
    }

    int free() {
        return size;
    }

    @Override
    public void free(int first, int count) {
        int at = size;
        for (int i = 0; i < count; i++) {
            slots[at + i] = first + count - 1 - i;
        }
        size = at + count;
    }

    @Override
    public void allocate(int[] target, int count) {
        allocate(target, 0, count);
    }

    /** Fills {@code target[at..at+count)}. */
    void allocate(int[] target, int at, int count) {
        if (count > size) {
            throw new IllegalStateException("asked for " + count + " slots of " + size);
        }
        for (int i = 0; i < count; i++) {
            target[at + i] = slots[--size];
        }
    }
}
