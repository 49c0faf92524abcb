package io.tidemark.index.prefix;

import java.util.Arrays;

/**
 * Slots that are numbers, kept as runs of slots that follow each other: one run costs an int, more cost two each, and
 * slots without any order are kept one by one. They are freed in runs.
 */
public final class IntSlots implements SlotTable<int[]> {
    private static final int FIRST = 0;
    private static final int RUNS = 1;
    /** Stands for the number of runs where slots are kept one by one. */
    private static final int UNORDERED = 0;

    private final SlotPool pool;
    private final IntColumn fields = new IntColumn(2, 0);
    private final Slices stored = new Slices(1, 0);
    private int[] runs = new int[64];
    private int[] scratch = new int[64];

    /** An empty table over the given allocator. */
    public IntSlots(SlotPool pool) {
        this.pool = pool;
    }

    @Override
    public void adopt(int node, int[] values, int from, int length) {
        fields.open(node);
        int count = encode(values, from, from + length);
        fields.set(node, RUNS, count);
        if (count == 1) {
            fields.set(node, FIRST, values[from]);
        } else if (count == UNORDERED) {
            stored.store(node, values, from, length);
        } else {
            stored.store(node, runs, 0, 2 * count);
        }
    }

    @Override
    public void reject(int[] values, int from, int length) {
        free(values, from, from + length);
    }

    @Override
    public void split(int prefix, int suffix, int at, int rest) {
        if (fields.get(suffix, RUNS) == 1) {
            fields.open(prefix);
            fields.set(prefix, RUNS, 1);
            fields.set(prefix, FIRST, fields.get(suffix, FIRST));
            fields.set(suffix, FIRST, fields.get(suffix, FIRST) + at);
            return;
        }
        int[] slots = scratch(at + rest);
        copy(suffix, at + rest, slots, 0);
        forget(suffix, at + rest);
        adopt(prefix, slots, 0, at);
        adopt(suffix, slots, at, rest);
    }

    @Override
    public void allocate(int node, int length) {
        int[] slots = scratch(length);
        pool.allocate(slots, length);
        adopt(node, slots, 0, length);
    }

    @Override
    public void release(int node, int length) {
        int count = fields.get(node, RUNS);
        if (count == 1) {
            pool.free(fields.get(node, FIRST), length);
            return;
        }
        int[] slots = scratch(length);
        int ints = count == UNORDERED ? length : 2 * count;
        stored.copyOut(node, 0, slots, 0, ints);
        forget(node, length);
        if (count == UNORDERED) {
            free(slots, 0, length);
            return;
        }
        for (int i = 0; i < ints; i += 2) {
            pool.free(slots[i], slots[i + 1]);
        }
    }

    @Override
    public int readAhead(int node) {
        return fields.get(node, RUNS) == 1 ? fields.get(node, FIRST) : stored.readAround(node);
    }

    @Override
    public void clear() {
        stored.clear();
    }

    /** Writes the node's {@code length} slots to {@code target[at..]}. */
    public void copy(int node, int length, int[] target, int at) {
        int count = fields.get(node, RUNS);
        if (count == UNORDERED) {
            stored.copyOut(node, 0, target, at, length);
        } else if (count == 1) {
            fill(target, at, fields.get(node, FIRST), length);
        } else {
            int end = at;
            for (int run = 0; run < count; run++) {
                int slots = stored.get(node, 2 * run + 1);
                fill(target, end, stored.get(node, 2 * run), slots);
                end += slots;
            }
        }
    }

    /** Heap bytes held. */
    public long bytes() {
        return fields.bytes() + stored.bytes();
    }

    private void forget(int node, int length) {
        int count = fields.get(node, RUNS);
        stored.release(node, count == UNORDERED ? length : 2 * count);
    }

    /** Writes the runs to {@link #runs} and answers how many; {@link #UNORDERED} when that takes more room. */
    private int encode(int[] values, int from, int to) {
        int count = 0;
        for (int at = from; at < to; count++) {
            int length = runLength(values, at, to);
            if (count > 0 && 2 * (count + 1) > to - from) {
                return UNORDERED;
            }
            if (2 * count + 2 > runs.length) {
                runs = Arrays.copyOf(runs, runs.length * 2);
            }
            runs[2 * count] = values[at];
            runs[2 * count + 1] = length;
            at += length;
        }
        return count;
    }

    private void free(int[] slots, int from, int to) {
        for (int at = from; at < to; ) {
            int run = runLength(slots, at, to);
            pool.free(slots[at], run);
            at += run;
        }
    }

    private static void fill(int[] target, int at, int first, int count) {
        for (int i = 0; i < count; i++) {
            target[at + i] = first + i;
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
        if (scratch.length < length) {
            scratch = new int[Math.max(length, scratch.length * 2)];
        }
        return scratch;
    }
}
