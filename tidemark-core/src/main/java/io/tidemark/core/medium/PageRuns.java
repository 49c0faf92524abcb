package io.tidemark.core.medium;

import java.util.Arrays;

/** Runs of pages in the order of their places: pairs of first page and number of pages. Grows. */
final class PageRuns {
    private int[] runs = new int[16];
    private int size = 0;

    /** Adds a run behind the others; one without pages is left out. */
    void add(int first, int count) {
        if (count <= 0) {
            return;
        }
        if (size == runs.length) {
            runs = Arrays.copyOf(runs, size * 2);
        }
        runs[size++] = first;
        runs[size++] = count;
    }

    /** The first pages of these runs, at most this many. */
    PageRuns first(int pages) {
        PageRuns head = new PageRuns();
        int left = pages;
        for (int i = 0; i < size && left > 0; i += 2) {
            int count = Math.min(runs[i + 1], left);
            head.add(runs[i], count);
            left -= count;
        }
        return head;
    }

    /** What remains behind a {@linkplain #first head} of these runs. */
    PageRuns behind(PageRuns head) {
        PageRuns tail = new PageRuns();
        for (int i = Math.max(0, head.size - 2); i < size; i += 2) {
            int skip = i < head.size ? head.runs[i + 1] : 0;
            tail.add(runs[i] + skip, runs[i + 1] - skip);
        }
        return tail;
    }

    int[] toArray() {
        return Arrays.copyOf(runs, size);
    }
}
