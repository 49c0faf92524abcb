package io.tidemark.server.resp.command;

import java.util.stream.IntStream;

/**
 * Where the keys of a command are.
 *
 * @param first index of the first key, 0 for none
 * @param last index of the last key; -1 for the last argument
 * @param step distance between keys
 */
record KeyPositions(int first, int last, int step) {
    static final KeyPositions NONE = new KeyPositions(0, 0, 0);
    static final KeyPositions FIRST = new KeyPositions(1, 1, 1);
    static final KeyPositions ALL = new KeyPositions(1, -1, 1);
    static final KeyPositions PAIRS = new KeyPositions(1, -1, 2);

    /** Indexes of the keys in a command of {@code count} arguments. */
    IntStream indexes(int count) {
        if (first == 0) {
            return IntStream.empty();
        }
        int end = last < 0 ? count + last : last;
        return IntStream.iterate(first, i -> i <= end && i < count, i -> i + step);
    }
}
