package io.tidemark.index.prefix;

/** What only trees with a host tier know of a node. Every field reads {@link Nodes#NONE} at first. */
final class HostFields {
    private static final int BOUNDARY = 0;
    private static final int WRITE = 1;
    private static final int LOAD = 2;
    private static final int LOAD_RECEIPT = 3;
    private static final int DUPLICATE = 4;
    private static final int FIELDS = 5;

    private final IntColumn column;

    /** The fields of a tree; without a host tier they take no room and are never read. */
    HostFields(Nodes nodes, WritePolicy policy) {
        this.column = policy == WritePolicy.NONE ? new IntColumn(FIELDS, Nodes.NONE) : nodes.column(FIELDS, Nodes.NONE);
    }

    /** Mark of the host lock whose upper end this node is. */
    int boundary(int node) {
        return column.get(node, BOUNDARY);
    }

    void boundary(int node, int value) {
        column.set(node, BOUNDARY, value);
    }

    /** The node whose backup is in flight and covers this one; itself, or a piece split off below. */
    int write(int node) {
        return column.get(node, WRITE);
    }

    void write(int node, int value) {
        column.set(node, WRITE, value);
    }

    /** The node whose load-back is in flight and covers this one; write-back only. */
    int load(int node) {
        return column.get(node, LOAD);
    }

    void load(int node, int value) {
        column.set(node, LOAD, value);
    }

    /** Receipt of the host lock that the load-back of this node holds. */
    int loadReceipt(int node) {
        return column.get(node, LOAD_RECEIPT);
    }

    void loadReceipt(int node, int value) {
        column.set(node, LOAD_RECEIPT, value);
    }

    /** Where and how {@link Duplicates} lists the node; means nothing for a node that it never listed. */
    int duplicate(int node) {
        return column.get(node, DUPLICATE);
    }

    void duplicate(int node, int value) {
        column.set(node, DUPLICATE, value);
    }

    /** Whether no copy of the node is in flight. */
    boolean isSettled(int node) {
        return write(node) == Nodes.NONE && load(node) == Nodes.NONE;
    }
}
