package io.tidemark.index.policy;

/**
 * A 4-ary min-heap of (key, node) that knows where each node stands: one entry a node, and a key that changes moves its entry.
 * Keys of one to three longs lie side by side.
 *
 * <p>Everything is in pages, so that no call copies what is there: a call costs the levels that one entry moves, whatever
 * the number of nodes.
 */
final class KeyHeap {
    private static final int ARITY = 4;
    private static final int ABSENT = 0;

    private final int parts;
    private final PagedLongs keys = new PagedLongs();
    private final PagedInts nodes = new PagedInts();
    /** Entry of each node, plus one. */
    private final PagedInts places = new PagedInts();
    /** Key of an entry on its way. */
    private final long[] lifted = new long[3];

    private int size;
    private long moves;

    KeyHeap(int parts) {
        if (parts < 1 || parts > 3) {
            throw new IllegalArgumentException("a key has 1 to 3 parts, got " + parts);
        }
        this.parts = parts;
    }

    int size() {
        return size;
    }

    boolean contains(int node) {
        return node >= 0 && places.get(node) != ABSENT;
    }

    /** The node with the smallest key; there has to be one. */
    int first() {
        return nodes.get(0);
    }

    /** Entries that were moved so far: what the calls cost. */
    long moves() {
        return moves;
    }

    /** Gives the node this key; it joins if it was not there. */
    void put(int node, long[] key) {
        int entry = places.get(node) - 1;
        if (entry < 0) {
            siftUp(size++, node, key);
        } else if (!hasKey(entry, key)) {
            settle(entry, node, key);
        }
    }

    /** Takes the node out; no-op when it is not there. */
    void remove(int node) {
        int entry = node < 0 ? -1 : places.get(node) - 1;
        if (entry < 0) {
            return;
        }
        places.set(node, ABSENT);
        size--;
        if (entry < size) {
            for (int i = 0; i < parts; i++) {
                lifted[i] = keys.get(size * parts + i);
            }
            settle(entry, nodes.get(size), lifted);
        }
    }

    void clear() {
        for (int entry = 0; entry < size; entry++) {
            places.set(nodes.get(entry), ABSENT);
        }
        size = 0;
    }

    /** Puts a node where it belongs, into the hole at {@code entry} and from there up or down. */
    private void settle(int entry, int node, long[] key) {
        if (entry > 0 && goesBefore(node, key, (entry - 1) / ARITY)) {
            siftUp(entry, node, key);
        } else {
            siftDown(entry, node, key);
        }
    }

    private void siftUp(int hole, int node, long[] key) {
        int at = hole;
        while (at > 0 && goesBefore(node, key, (at - 1) / ARITY)) {
            int parent = (at - 1) / ARITY;
            move(parent, at);
            at = parent;
        }
        place(at, node, key);
    }

    private void siftDown(int hole, int node, long[] key) {
        int at = hole;
        while (true) {
            int first = at * ARITY + 1;
            if (first >= size || first < 0) {
                break;
            }
            int smallest = first;
            int end = Math.min(first + ARITY, size);
            for (int child = first + 1; child < end; child++) {
                smallest = less(child, smallest) ? child : smallest;
            }
            if (goesBefore(node, key, smallest)) {
                break;
            }
            move(smallest, at);
            at = smallest;
        }
        place(at, node, key);
    }

    private boolean hasKey(int entry, long[] key) {
        for (int i = 0; i < parts; i++) {
            if (keys.get(entry * parts + i) != key[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean goesBefore(int node, long[] key, int entry) {
        for (int i = 0; i < parts; i++) {
            long other = keys.get(entry * parts + i);
            if (key[i] != other) {
                return key[i] < other;
            }
        }
        return node < nodes.get(entry);
    }

    private boolean less(int left, int right) {
        for (int i = 0; i < parts; i++) {
            long l = keys.get(left * parts + i);
            long r = keys.get(right * parts + i);
            if (l != r) {
                return l < r;
            }
        }
        return nodes.get(left) < nodes.get(right);
    }

    private void move(int from, int to) {
        for (int i = 0; i < parts; i++) {
            keys.set(to * parts + i, keys.get(from * parts + i));
        }
        int node = nodes.get(from);
        nodes.set(to, node);
        places.set(node, to + 1);
        moves++;
    }

    private void place(int entry, int node, long[] key) {
        for (int i = 0; i < parts; i++) {
            keys.set(entry * parts + i, key[i]);
        }
        nodes.set(entry, node);
        places.set(node, entry + 1);
        moves++;
    }
}
