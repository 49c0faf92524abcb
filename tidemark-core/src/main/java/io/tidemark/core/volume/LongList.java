package io.tidemark.core.volume;

import java.util.Arrays;

/** Numbers one after another, without a box for each. */
final class LongList {
    private long[] values = new long[1024];
    private int size;

    void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    int size() {
        return size;
    }

    long get(int index) {
        return values[index];
    }

    /** Forgets those from {@code end} on. */
    void cut(int end) {
        size = end;
    }

    /** Puts those from {@code from} on in order, smallest first. */
    void sort(int from) {
        Arrays.sort(values, from, size);
    }
}
