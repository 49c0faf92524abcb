package io.tidemark.index.policy;

/**
 * The same order as {@link LazyHeap} at the cost of a heap built anew from all members at each walk: the yardstick
 * that the lazy heap is measured and tested against. Changes between walks cost nothing.
 */
public final class RebuiltHeap implements VictimOrder {
    private static final int MEMBER = 1;
    private static final int YIELDED = 2;

    private final KeyFunction key;
    private final KeyHeap heap;
    private final NodeFlags flags = new NodeFlags();
    private final long[] fresh = new long[3];
    private int members;
    private boolean walking;

    /** An empty order by the given key. */
    public RebuiltHeap(KeyFunction key) {
        this.key = key;
        this.heap = new KeyHeap(key.parts());
    }

    @Override
    public void added(int node) {
        if (flags.set(node, MEMBER)) {
            members++;
        }
    }

    /** Nothing to do: keys are read when a walk begins. */
    @Override
    public void touched(int node) {}

    /** Nothing to do: keys are read when a walk begins. */
    @Override
    public void touchedBehind(int node, int ahead) {}

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
        heap.clear();
        for (int node = 0; node < flags.capacity(); node++) {
            if (contains(node)) {
                queue(node);
            }
        }
    }

    @Override
    public int popNext() {
        requireWalk();
        if (heap.size() > 0) {
            int node = heap.first();
            heap.remove(node);
            flags.set(node, YIELDED);
            return node;
        }
        return NONE;
    }

    @Override
    public void promote(int node) {
        requireWalk();
        if (contains(node) && !flags.has(node, YIELDED) && !heap.contains(node)) {
            queue(node);
        }
    }

    @Override
    public void endWalk() {
        walking = false;
        heap.clear();
        flags.clearEverywhere(YIELDED);
    }

    @Override
    public void clear() {
        flags.clearAll();
        heap.clear();
        members = 0;
        walking = false;
    }

    private void queue(int node) {
        fresh[0] = key.first(node);
        fresh[1] = key.parts() > 1 ? key.second(node) : 0;
        fresh[2] = key.parts() > 2 ? key.third(node) : 0;
        heap.put(node, fresh);
    }

    private void requireWalk() {
        if (!walking) {
            throw new IllegalStateException("no walk is running: call beginWalk first");
        }
    }
}
