package io.tidemark.index.prefix;

/**
 * The other arguments of an insert and its results; reusable. Lengths are in units.
 *
 * @param <V> the values of a request
 */
public final class Insertion<V> {
    /** Stands for a request that brings no recurrent state. */
    public static final int NO_STATE = -1;

    private V values;
    private V windowValues;
    private int windowStart;
    private int state = NO_STATE;
    private int priority;
    private int protectedLength;
    private int countedLength;

    private int prefixLength;
    private int duplicates;
    private boolean stateKept;
    private int node = Nodes.ROOT;

    /** An insert of the given values with priority 0, of which nothing was inserted before. */
    public Insertion(V values) {
        this.values = values;
        this.windowValues = values;
    }

    /** Sets the values, one a unit of the key; for a tree with a window they name the window's values as well. */
    public Insertion<V> values(V value) {
        this.values = value;
        this.windowValues = value;
        return this;
    }

    /** Sets the window's values, one a unit of the key, where they have numbers of their own. Call after {@link #values}. */
    public Insertion<V> windowValues(V value) {
        this.windowValues = value;
        return this;
    }

    /** Sets the first unit for which the request still has window values; whole pages. */
    public Insertion<V> windowStart(int value) {
        this.windowStart = requireLength(value);
        return this;
    }

    /** Sets the recurrent state at the key's end, 0 or more, or {@link #NO_STATE}. */
    public Insertion<V> state(int value) {
        this.state = value;
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

    /** Result: whether the tree took the state; if not, it is still the request's. */
    public boolean stateKept() {
        return stateKept;
    }

    /** Result: the node at which the key ends. */
    public int node() {
        return node;
    }

    V values() {
        return values;
    }

    V windowValues() {
        return windowValues;
    }

    int windowStart() {
        return windowStart;
    }

    int state() {
        return state;
    }

    /** An insert begins: no results yet. */
    void begin() {
        duplicates = 0;
        stateKept = false;
    }

    /** So many of the request's values were given back. */
    void gaveBack(int count) {
        duplicates += count;
    }

    void stateTaken() {
        stateKept = true;
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

    void result(int prefixLength, int node) {
        this.prefixLength = prefixLength;
        this.node = node;
    }

    private static int requireLength(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("a length must not be negative, got " + value);
        }
        return value;
    }
}
