package io.tidemark.bench.index;

import io.tidemark.index.prefix.SlotPool;
import java.util.Arrays;

/**
 * A pool of slots as a stack of runs: what was freed last is handed out first. A free costs the same whatever the run's
 * length, so that the pool takes little of the time that is measured.
 */
final class SlotStack implements SlotPool {
    /** The runs of a tree's nodes fit without growth when they have twice as many slots. */
    private static final int SLOTS_PER_INT = 16;

    /** First slot and length of each run, the top last. */
    private int[] runs;

    private int top;
    private int free;

    SlotStack(int capacity) {
        runs = new int[Math.max(64, capacity / SLOTS_PER_INT)];
        free(0, capacity);
    }

    int free() {
        return free;
    }

    @Override
    public void free(int first, int count) {
        free += count;
        if (top > 0 && runs[top - 2] + runs[top - 1] == first) {
            runs[top - 1] += count;
            return;
        }
        if (top + 2 > runs.length) {
            runs = Arrays.copyOf(runs, 2 * top);
        }
        runs[top++] = first;
        runs[top++] = count;
    }

    @Override
    public void allocate(int[] target, int count) {
        allocate(target, 0, count);
    }

    /** Fills {@code target[at..at+count)}. */
    void allocate(int[] target, int at, int count) {
        if (count > free) {
            throw new IllegalStateException("asked for " + count + " slots of " + free);
        }
        free -= count;
        for (int end = at + count; end > at; ) {
            end -= takeFromTop(target, end, end - at);
        }
    }

    /** Takes slots off the end of the run on top, at most so many, and writes them before {@code end}; answers how many. */
    private int takeFromTop(int[] target, int end, int most) {
        int count = Math.min(most, runs[top - 1]);
        int first = runs[top - 2] + runs[top - 1] - count;
        for (int i = 0; i < count; i++) {
            target[end - count + i] = first + i;
        }
        runs[top - 1] -= count;
        if (runs[top - 1] == 0) {
            top -= 2;
        }
        return count;
    }
}
