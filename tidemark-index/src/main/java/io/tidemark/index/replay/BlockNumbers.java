package io.tidemark.index.replay;

/** Numbers 64-bit block ids in the order of their first appearance: a hash map of longs to ints on flat arrays. */
final class BlockNumbers {
    private static final int FREE = 0;

    private long[] ids = new long[1 << 16];
    private int[] numbersPlusOne = new int[1 << 16];
    private int size;

    int size() {
        return size;
    }

    /** The id's number; the next unused one when it is new. */
    int of(long id) {
        int slot = slotOf(id);
        if (numbersPlusOne[slot] == FREE) {
            if (size * 2 >= ids.length) {
                grow();
                slot = slotOf(id);
            }
            ids[slot] = id;
            numbersPlusOne[slot] = ++size;
        }
        return numbersPlusOne[slot] - 1;
    }

    private int slotOf(long id) {
        int mask = ids.length - 1;
        long mixed = id * 0x9E3779B97F4A7C15L;
        int slot = (int) (mixed >>> 32) & mask;
        while (numbersPlusOne[slot] != FREE && ids[slot] != id) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldIds = ids;
        int[] oldNumbers = numbersPlusOne;
        ids = new long[oldIds.length * 2];
        numbersPlusOne = new int[ids.length];
        for (int i = 0; i < oldIds.length; i++) {
            if (oldNumbers[i] != FREE) {
                int slot = slotOf(oldIds[i]);
                ids[slot] = oldIds[i];
                numbersPlusOne[slot] = oldNumbers[i];
            }
        }
    }
}
