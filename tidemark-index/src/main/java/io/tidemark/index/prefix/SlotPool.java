package io.tidemark.index.prefix;

/** The allocator of device slots behind {@link IntSlots}. */
public interface SlotPool {
    /** Slots {@code first} to {@code first + count - 1} are free again. */
    void free(int first, int count);

    /** Fills {@code slots[0..count)} with free slots for a load-back; the tree has made sure that there are some. */
    void allocate(int[] slots, int count);
}
