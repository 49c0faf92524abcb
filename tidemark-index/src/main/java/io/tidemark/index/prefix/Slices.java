package io.tidemark.index.prefix;

/**
 * A column of int runs: each node may hold a slice of a run in an {@link IntArena}. Splitting a node shares the run
 * and copies nothing.
 */
final class Slices {
    private static final int RUN = 0;
    private static final int FROM = 1;

    private final IntArena arena = new IntArena();
    private final IntColumn fields = new IntColumn(2, 0);
    private final int width;
    private final int overlap;

    /**
     * A column without slices.
     *
     * @param width ints a unit
     * @param overlap ints that two slices in a row share
     */
    Slices(int width, int overlap) {
        this.width = width;
        this.overlap = overlap;
    }

    /** Gives the node a copy of {@code units} units of the source, from int {@code from} on. */
    void store(int node, int[] source, int from, int units) {
        int length = ints(units);
        int run = arena.allocate(length);
        arena.copyIn(run, source, from, length);
        fields.open(node);
        fields.set(node, RUN, run);
    }

    /** The first {@code at} units of the suffix's slice become the prefix's. */
    void split(int prefix, int suffix, int at) {
        int run = fields.get(suffix, RUN);
        int from = fields.get(suffix, FROM);
        arena.share(run);
        fields.open(prefix);
        fields.set(prefix, RUN, run);
        fields.set(prefix, FROM, from);
        fields.set(suffix, FROM, from + at * width);
    }

    /** Gives the node's slice of so many units back. */
    void release(int node, int units) {
        arena.release(fields.get(node, RUN), fields.get(node, FROM), ints(units), overlap);
    }

    /** The address of the node's run. */
    int run(int node) {
        return fields.get(node, RUN);
    }

    /** Reads around the node's run; means nothing. */
    int readAround(int node) {
        return arena.readAround(fields.get(node, RUN));
    }

    /** Reads around the free neighbours of the node's run; means nothing. */
    int readNeighbours(int node) {
        return arena.readNeighbours(fields.get(node, RUN));
    }

    int get(int node, int index) {
        return arena.get(fields.get(node, RUN), fields.get(node, FROM) + index);
    }

    /** Length of the common prefix of the node's ints from {@code index} on and {@code other[at..]}. */
    int common(int node, int index, int[] other, int at, int limit) {
        return arena.common(fields.get(node, RUN), fields.get(node, FROM) + index, other, at, limit);
    }

    void copyOut(int node, int index, int[] target, int at, int length) {
        arena.copyOut(fields.get(node, RUN), fields.get(node, FROM) + index, target, at, length);
    }

    void clear() {
        arena.clear();
    }

    /** Heap bytes held by the column and its runs. */
    long bytes() {
        return fields.bytes() + arena.capacityInts() * Integer.BYTES;
    }

    /** Ints of runs in use, headers included. */
    long usedInts() {
        return arena.usedInts();
    }

    private int ints(int units) {
        return units == 0 ? 0 : units * width + overlap;
    }
}
