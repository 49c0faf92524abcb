package io.tidemark.index.prefix;

/**
 * Slots that are numbers. A node whose slots follow each other costs one int, others are kept as they are; slots are
 * freed in runs.
 */
public final class IntSlots implements SlotTable<int[]> {
    private static final int FIRST = 0;
    private static final int SCATTERED = 1;

    private final SlotPool pool;
    private final IntColumn fields = new IntColumn(2, 0);
    private final Slices scattered = new Slices(1, 0);
    private int[] fresh = new int[64];

    /** An empty table over the given allocator. */
    public IntSlots(SlotPool pool) {
        this.pool = pool;
    }

    @Override
    public void adopt(int node, int[] values, int from, int length) {
        fields.open(node);
        if (runLength(values, from, from + length) == length) {
            fields.set(node, FIRST, values[from]);
        } else {
            fields.set(node, SCATTERED, 1);
            scattered.store(node, values, from, length);
        }
    }

    @Override
    public void reject(int[] values, int from, int length) {
        free(values, from, from + length);
    }

    @Override
    public void split(int prefix, int suffix, int at) {
        fields.open(prefix);
        if (isScattered(suffix)) {
            fields.set(prefix, SCATTERED, 1);
            scattered.split(prefix, suffix, at);
        } else {
            fields.set(prefix, FIRST, fields.get(suffix, FIRST));
            fields.set(suffix, FIRST, fields.get(suffix, FIRST) + at);
        }
    }

    @Override
    public void allocate(int node, int length) {
        int[] slots = scratch(length);
        pool.allocate(slots, length);
        adopt(node, slots, 0, length);
    }

    @Override
    public void release(int node, int length) {
        if (!isScattered(node)) {
            pool.free(fields.get(node, FIRST), length);
            return;
        }
        int[] slots = scratch(length);
        scattered.copyOut(node, 0, slots, 0, length);
        scattered.release(node, length);
        free(slots, 0, length);
    }

    @Override
    public void clear() {
        scattered.clear();
    }

    /** Writes the node's {@code length} slots to {@code target[at..]}. */
    public void copy(int node, int length, int[] target, int at) {
        if (isScattered(node)) {
            scattered.copyOut(node, 0, target, at, length);
            return;
        }
        for (int i = 0; i < length; i++) {
            target[at + i] = fields.get(node, FIRST) + i;
        }
    }

    /** Heap bytes held. */
    public long bytes() {
        return fields.bytes() + scattered.bytes();
    }

    private boolean isScattered(int node) {
        return fields.get(node, SCATTERED) != 0;
    }

    private void free(int[] slots, int from, int to) {
        for (int at = from; at < to; ) {
            int run = runLength(slots, at, to);
            pool.free(slots[at], run);
            at += run;
        }
    }

    /** How many slots from {@code from} on follow each other. */
    private static int runLength(int[] slots, int from, int to) {
        int at = from + 1;
        while (at < to && slots[at] == slots[at - 1] + 1) {
            at++;
        }
        return at - from;
    }

    private int[] scratch(int length) {
        if (fresh.length < length) {
            fresh = new int[Math.max(length, fresh.length * 2)];
        }
        return fresh;
    }
}
