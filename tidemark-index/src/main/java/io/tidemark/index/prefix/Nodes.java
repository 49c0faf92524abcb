package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.List;

/**
 * The node store: every plain fact of a node, in flat pages indexed by the node's id. Ids are reused; node
 * {@link #ROOT} always exists. One node's sixteen ints fill one cache line.
 *
 * <p>Nothing here keeps facts consistent with each other: that is the business of the classes that change them
 * ({@link Children}, {@link LeafSets}, {@link Residency}, ...), see the table of fields in docs/prefix-tree.md.
 */
final class Nodes {
    static final int ROOT = 0;
    static final int NONE = -1;

    /** In use. */
    static final int ALIVE = 1;
    /** Has slots on the device. */
    static final int DEVICE = 2;
    /** Has a copy in the host tier. */
    static final int HOST = 4;
    /** Member of the device order. */
    static final int DEVICE_LEAF = 8;
    /** Member of the host order. */
    static final int HOST_LEAF = 16;
    /** Was listed among the nodes with both copies; whether it still is, {@link Duplicates} knows. */
    static final int DUPLICATE = 32;
    /** The node for which a load-back is in flight. */
    static final int LOADING = 64;
    /** Holds values of sliding-window attention. */
    static final int WINDOW = 128;
    /** Holds a recurrent state. */
    static final int STATE = 256;

    private static final int PARENT = 0;
    private static final int FIRST_CHILD = 1;
    private static final int NEXT_SIBLING = 2;
    private static final int PREVIOUS_SIBLING = 3;
    private static final int LENGTH = 4;
    private static final int HASH = 5;
    private static final int NAMESPACE = 6;
    private static final int LOCKS = 7;
    private static final int HOST_LOCKS = 8;
    private static final int SESSIONS = 9;
    private static final int HITS = 10;
    private static final int PRIORITY = 11;
    private static final int DEVICE_CHILDREN = 12;
    private static final int FLAGS = 13;
    private static final int DEPTH = 14;
    private static final int BRANCH_DEPTH = 15;
    private static final int INTS = 16;

    private static final int LAST_ACCESS = 0;
    private static final int CREATED = 1;
    private static final int LONGS = 2;

    private final IntColumn ints = new IntColumn(INTS, 0);
    private final LongColumn longs = new LongColumn(LONGS);
    private final List<IntColumn> columns = new ArrayList<>();
    private int opened;
    private int live;
    private int firstFree = NONE;

    Nodes() {
        create();
    }

    /** Another column, for a part of the tree that not every tree has; fresh nodes read the initial value. */
    IntColumn column(int stride, int initial) {
        IntColumn column = new IntColumn(stride, initial);
        for (int node = 0; node < opened; node++) {
            column.open(node);
        }
        columns.add(column);
        return column;
    }

    /** A fresh node with no relatives and all facts zero; ids of removed nodes come first. */
    int create() {
        int node = firstFree;
        if (node == NONE) {
            node = opened++;
        } else {
            firstFree = ints.get(node, PARENT);
        }
        ints.open(node);
        longs.open(node);
        for (int i = 0; i < columns.size(); i++) {
            columns.get(i).open(node);
        }
        ints.set(node, PARENT, NONE);
        ints.set(node, FIRST_CHILD, NONE);
        ints.set(node, NEXT_SIBLING, NONE);
        ints.set(node, PREVIOUS_SIBLING, NONE);
        ints.set(node, FLAGS, ALIVE);
        live++;
        return node;
    }

    /** Takes a node's id back. */
    void remove(int node) {
        assert node != ROOT && isAlive(node) && firstChild(node) == NONE : "node " + node;
        ints.set(node, FLAGS, 0);
        ints.set(node, PARENT, firstFree);
        firstFree = node;
        live--;
    }

    /** Removes all nodes but the root. */
    void clear() {
        opened = 0;
        live = 0;
        firstFree = NONE;
        create();
    }

    /** Nodes in use, without the root. */
    int size() {
        return live - 1;
    }

    /** One more than the largest id ever used. */
    int bound() {
        return opened;
    }

    /** Heap bytes held by the store. */
    long bytes() {
        return ints.bytes()
                + longs.bytes()
                + columns.stream().mapToLong(IntColumn::bytes).sum();
    }

    boolean isAlive(int node) {
        return node >= 0 && node < opened && has(node, ALIVE);
    }

    boolean has(int node, int flag) {
        return (ints.get(node, FLAGS) & flag) != 0;
    }

    void set(int node, int flag) {
        ints.set(node, FLAGS, ints.get(node, FLAGS) | flag);
    }

    void clear(int node, int flag) {
        ints.set(node, FLAGS, ints.get(node, FLAGS) & ~flag);
    }

    int parent(int node) {
        return ints.get(node, PARENT);
    }

    void parent(int node, int value) {
        ints.set(node, PARENT, value);
    }

    int firstChild(int node) {
        return ints.get(node, FIRST_CHILD);
    }

    void firstChild(int node, int value) {
        ints.set(node, FIRST_CHILD, value);
    }

    int nextSibling(int node) {
        return ints.get(node, NEXT_SIBLING);
    }

    void nextSibling(int node, int value) {
        ints.set(node, NEXT_SIBLING, value);
    }

    int previousSibling(int node) {
        return ints.get(node, PREVIOUS_SIBLING);
    }

    void previousSibling(int node, int value) {
        ints.set(node, PREVIOUS_SIBLING, value);
    }

    /** Units (tokens, or bigrams) that the node itself holds. */
    int length(int node) {
        return ints.get(node, LENGTH);
    }

    void length(int node, int value) {
        ints.set(node, LENGTH, value);
    }

    /** Hash of the node's place: its parent, namespace and first page. */
    int hash(int node) {
        return ints.get(node, HASH);
    }

    void hash(int node, int value) {
        ints.set(node, HASH, value);
    }

    int namespace(int node) {
        return ints.get(node, NAMESPACE);
    }

    void namespace(int node, int value) {
        ints.set(node, NAMESPACE, value);
    }

    int locks(int node) {
        return ints.get(node, LOCKS);
    }

    void locks(int node, int value) {
        ints.set(node, LOCKS, value);
    }

    int hostLocks(int node) {
        return ints.get(node, HOST_LOCKS);
    }

    void hostLocks(int node, int value) {
        ints.set(node, HOST_LOCKS, value);
    }

    int sessions(int node) {
        return ints.get(node, SESSIONS);
    }

    void sessions(int node, int value) {
        ints.set(node, SESSIONS, value);
    }

    int hits(int node) {
        return ints.get(node, HITS);
    }

    void hits(int node, int value) {
        ints.set(node, HITS, value);
    }

    int priority(int node) {
        return ints.get(node, PRIORITY);
    }

    void priority(int node, int value) {
        ints.set(node, PRIORITY, value);
    }

    /** Children that have slots on the device. */
    int deviceChildren(int node) {
        return ints.get(node, DEVICE_CHILDREN);
    }

    void deviceChildren(int node, int value) {
        ints.set(node, DEVICE_CHILDREN, value);
    }

    /** Units from the root to the node's end. */
    int depth(int node) {
        return ints.get(node, DEPTH);
    }

    void depth(int node, int value) {
        ints.set(node, DEPTH, value);
    }

    /** The largest depth that the node's branch ever had. */
    int branchDepth(int node) {
        return ints.get(node, BRANCH_DEPTH);
    }

    void branchDepth(int node, int value) {
        ints.set(node, BRANCH_DEPTH, value);
    }

    long lastAccess(int node) {
        return longs.get(node, LAST_ACCESS);
    }

    void lastAccess(int node, long value) {
        longs.set(node, LAST_ACCESS, value);
    }

    long created(int node) {
        return longs.get(node, CREATED);
    }

    void created(int node, long value) {
        longs.set(node, CREATED, value);
    }
}
