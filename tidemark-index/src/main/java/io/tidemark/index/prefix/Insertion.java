package io.tidemark.index.prefix;

/**
 * The other arguments of an insert and its results; reusable. Lengths are in units.
 *
 * @param <V> the values of a request
 */
public final class Insertion<V> {
    private V values;
    private int priority;
    private int protectedLength;
    private int countedLength;

    private int prefixLength;
    private int duplicates;
    private int node = Nodes.ROOT;

    /** An insert of the given values with priority 0, of which nothing was inserted before. */
    public Insertion(V values) {
        this.values = values;
    }

    /** Sets the values, one a unit of the key. */
    public Insertion<V> values(V value) {
        this.values = value;
        return this;
    }

    /** Sets the priority that the nodes on the path have at least. */
    public Insertion<V> priority(int value) {
        this.priority = value;
        return this;
    }

    /**
     * Sets how many of the first values are the tree's own, which the request has under a lock: they are not given
     * back as duplicates.
     */
    public Insertion<V> protectedLength(int value) {
        this.protectedLength = requireLength(value);
        return this;
    }

    /** Sets how many of the first units an earlier insert of the same request counted as hits. */
    public Insertion<V> countedLength(int value) {
        this.countedLength = requireLength(value);
        return this;
    }

    /** Result: units that were in the tree. */
    public int prefixLength() {
        return prefixLength;
    }

    /** Result: values that were given back because the tree held the units already. */
    public int duplicates() {
        return duplicates;
    }

    /** Result: the node at which the key ends. */
    public int node() {
        return node;
    }

    V values() {
        return values;
    }

    int priority() {
        return priority;
    }

    int protectedLength() {
        return protectedLength;
    }

    int countedLength() {
        return countedLength;
    }

    void result(int prefixLength, int duplicates, int node) {
        this.prefixLength = prefixLength;
        this.duplicates = duplicates;
        this.node = node;
    }

    private static int requireLength(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("a length must not be negative, got " + value);
        }
        return value;
    }
}
