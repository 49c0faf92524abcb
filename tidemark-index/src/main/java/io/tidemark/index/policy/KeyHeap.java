package io.tidemark.index.policy;

import java.util.Arrays;

/**
 * A 4-ary min-heap of (key, node) over flat arrays. It knows nothing of nodes that moved on: entries are what was
 * pushed. Keys of one to three longs lie side by side in one array.
 */
final class KeyHeap {
    private static final int ARITY = 4;

    private final int parts;
    private long[] keys;
    private int[] nodes = new int[64];
    private int size;

    KeyHeap(int parts) {
        if (parts < 1 || parts > 3) {
            throw new IllegalArgumentException("a key has 1 to 3 parts, got " + parts);
        }
        this.parts = parts;
        this.keys = new long[nodes.length * parts];
    }

    int size() {
        return size;
    }

    int node(int entry) {
        return nodes[entry];
    }

    /** Whether the entry's key equals the key stored at {@code at} in {@code others}. */
    boolean hasKey(int entry, long[] others, int at) {
        for (int i = 0; i < parts; i++) {
            if (keys[entry * parts + i] != others[at + i]) {
                return false;
            }
        }
        return true;
    }

    /** Adds an entry whose key is read from {@code from} at {@code at}. */
    void push(int node, long[] from, int at) {
        append(node, from, at);
        siftUp(size - 1);
    }

    /** Adds an entry without order; {@link #heapify} must follow. */
    void append(int node, long[] from, int at) {
        if (size == nodes.length) {
            nodes = Arrays.copyOf(nodes, Growth.lengthFor(size, size));
            keys = Arrays.copyOf(keys, nodes.length * parts);
        }
        nodes[size] = node;
        System.arraycopy(from, at, keys, size * parts, parts);
        size++;
    }

    /** Drops the smallest entry. */
    void pop() {
        size--;
        if (size > 0) {
            move(size, 0);
            siftDown(0);
        }
    }

    /** Keeps the entries that the test accepts; {@link #heapify} is done. */
    void retain(EntryTest test) {
        int kept = 0;
        for (int entry = 0; entry < size; entry++) {
            if (test.keep(nodes[entry], entry)) {
                move(entry, kept++);
            }
        }
        size = kept;
        heapify();
    }

    void heapify() {
        for (int entry = (size - 2) / ARITY; entry >= 0; entry--) {
            siftDown(entry);
        }
    }

    void clear() {
        size = 0;
    }

    /** Decides over one entry. */
    interface EntryTest {
        boolean keep(int node, int entry);
    }

    private void siftUp(int entry) {
        int at = entry;
        while (at > 0) {
            int parent = (at - 1) / ARITY;
            if (!less(at, parent)) {
                return;
            }
            swap(at, parent);
            at = parent;
        }
    }

    private void siftDown(int entry) {
        int at = entry;
        while (true) {
            int first = at * ARITY + 1;
            if (first >= size) {
                return;
            }
            int smallest = first;
            int end = Math.min(first + ARITY, size);
            for (int child = first + 1; child < end; child++) {
                smallest = less(child, smallest) ? child : smallest;
            }
            if (!less(smallest, at)) {
                return;
            }
            swap(at, smallest);
            at = smallest;
        }
    }

    private boolean less(int left, int right) {
        for (int i = 0; i < parts; i++) {
            long l = keys[left * parts + i];
            long r = keys[right * parts + i];
            if (l != r) {
                return l < r;
            }
        }
        return nodes[left] < nodes[right];
    }

    private void swap(int one, int other) {
        int node = nodes[one];
        nodes[one] = nodes[other];
        nodes[other] = node;
        for (int i = 0; i < parts; i++) {
            long key = keys[one * parts + i];
            keys[one * parts + i] = keys[other * parts + i];
            keys[other * parts + i] = key;
        }
    }

    private void move(int from, int to) {
        nodes[to] = nodes[from];
        System.arraycopy(keys, from * parts, keys, to * parts, parts);
    }
}
