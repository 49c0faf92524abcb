package io.tidemark.index.policy;

/**
 * An exact order by any {@link KeyFunction}, kept between walks: a walk costs its victims, and a change of a key the levels of
 * a heap that its node moves. Keys may become more urgent as well as less, at any time.
 *
 * <p>One entry a member, none for what was: there is no garbage, and nothing that has to be compacted. No call is longer
 * than the height of the heap, except that {@code endWalk} carries out what the walk has put off.
 *
 * <p>It is lazy in one thing: a walk takes out every node that it yields, and defers whatever happens meanwhile to
 * {@code endWalk}: keys, like the set of takers, are those of {@code beginWalk}.
 */
public final class LazyHeap implements VictimOrder {
    private static final int MEMBER = 1;
    private static final int DEFERRED = 2;
    private static final int YIELDED = 4;

    private final KeyFunction key;
    private final int parts;
    private final KeyHeap heap;
    private final NodeFlags flags = new NodeFlags();
    private final NodeStack deferred = new NodeStack();
    private final long[] fresh = new long[3];
    private int members;
    private boolean walking;

    /** An empty order by the given key. */
    public LazyHeap(KeyFunction key) {
        this.key = key;
        this.parts = key.parts();
        this.heap = new KeyHeap(parts);
    }

    @Override
    public void added(int node) {
        if (flags.set(node, MEMBER)) {
            members++;
            update(node);
        }
    }

    @Override
    public void touched(int node) {
        if (contains(node)) {
            update(node);
        }
    }

    @Override
    public void touchedBehind(int node, int ahead) {
        touched(node);
    }

    @Override
    public void removed(int node) {
        if (flags.clear(node, MEMBER)) {
            members--;
            flags.clear(node, YIELDED);
            heap.remove(node);
        }
    }

    @Override
    public boolean contains(int node) {
        return flags.has(node, MEMBER);
    }

    @Override
    public int size() {
        return members;
    }

    @Override
    public void beginWalk() {
        if (walking) {
            throw new IllegalStateException("a walk is running: end it before the next one begins");
        }
        walking = true;
    }

    @Override
    public int popNext() {
        int node = peekNext();
        if (node != NONE) {
            heap.remove(node);
            flags.set(node, YIELDED);
            defer(node);
        }
        return node;
    }

    /** What {@link #popNext} would answer next; it stays where it is. */
    public int peekNext() {
        requireWalk();
        return heap.size() > 0 ? heap.first() : NONE;
    }

    @Override
    public void promote(int node) {
        requireWalk();
        if (contains(node) && !heap.contains(node) && !flags.has(node, YIELDED)) {
            place(node);
        }
    }

    @Override
    public void endWalk() {
        walking = false;
        while (!deferred.isEmpty()) {
            int node = deferred.pop();
            flags.clear(node, DEFERRED | YIELDED);
            if (contains(node)) {
                place(node);
            }
        }
    }

    @Override
    public void clear() {
        flags.clearAll();
        heap.clear();
        deferred.clear();
        members = 0;
        walking = false;
    }

    /** Entries in the heap: the members, but for those that a running walk yielded or defers. */
    int entries() {
        return heap.size();
    }

    /** Entries of the heap that were moved so far: what the calls cost. */
    long moves() {
        return heap.moves();
    }

    private void update(int node) {
        if (walking) {
            defer(node);
        } else {
            place(node);
        }
    }

    private void defer(int node) {
        if (flags.set(node, DEFERRED)) {
            deferred.push(node);
        }
    }

    /** Puts the node where its key of now says. */
    private void place(int node) {
        readKey(node);
        heap.put(node, fresh);
    }

    private void readKey(int node) {
        fresh[0] = key.first(node);
        if (parts > 1) {
            fresh[1] = key.second(node);
        }
        if (parts > 2) {
            fresh[2] = key.third(node);
        }
    }

    private void requireWalk() {
        if (!walking) {
            throw new IllegalStateException("no walk is running: call beginWalk first");
        }
    }
}
