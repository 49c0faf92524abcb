package io.tidemark.index.policy;

import java.util.Arrays;

/**
 * An exact order by any {@link KeyFunction}, kept between walks: a use costs a push, a walk costs its victims.
 *
 * <p>A node whose key changes gets a second entry and the old one stays in the heap as garbage: an entry counts only
 * while it equals the node's <em>live key</em>. Keys may therefore become more urgent as well as less, at any time.
 * Garbage is bounded: after every call {@code entries <= 2 * live + 64}, else the heap is compacted.
 *
 * <p>A walk takes the live key away from every node that it yields, and defers whatever happens meanwhile to
 * {@code endWalk}: keys, like the set of takers, are those of {@code beginWalk}.
 */
public final class LazyHeap implements VictimOrder {
    private static final int MEMBER = 1;
    private static final int LIVE = 2;
    private static final int DEFERRED = 4;
    private static final int YIELDED = 8;
    private static final int KEPT = 16;
    private static final int SLACK = 64;

    private final KeyFunction key;
    private final int parts;
    private final KeyHeap heap;
    private final KeyHeap.EntryTest firstLiveEntry = this::isFirstLiveEntry;
    private final NodeFlags flags = new NodeFlags();
    private final NodeStack deferred = new NodeStack();
    private final long[] fresh = new long[3];
    private long[] liveKeys;
    private int members;
    private int live;
    private boolean walking;

    /** An empty order by the given key. */
    public LazyHeap(KeyFunction key) {
        this.key = key;
        this.parts = key.parts();
        this.heap = new KeyHeap(parts);
        this.liveKeys = new long[64 * parts];
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
            dropLiveKey(node);
            compactIfDue();
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
            heap.pop();
            dropLiveKey(node);
            flags.set(node, YIELDED);
            defer(node);
            compactIfDue();
        }
        return node;
    }

    /** What {@link #popNext} would answer next; it stays where it is. */
    public int peekNext() {
        requireWalk();
        while (heap.size() > 0) {
            int node = heap.node(0);
            if (isLiveEntry(node, 0)) {
                return node;
            }
            heap.pop();
        }
        return NONE;
    }

    @Override
    public void promote(int node) {
        requireWalk();
        if (contains(node) && !flags.has(node, LIVE | YIELDED)) {
            setLiveKey(node);
        }
    }

    @Override
    public void endWalk() {
        walking = false;
        while (!deferred.isEmpty()) {
            int node = deferred.pop();
            flags.clear(node, DEFERRED | YIELDED);
            if (contains(node)) {
                setLiveKey(node);
            }
        }
        compactIfDue();
    }

    @Override
    public void clear() {
        flags.clearAll();
        heap.clear();
        deferred.clear();
        members = 0;
        live = 0;
        walking = false;
    }

    /** Entries in the heap, garbage included. */
    int entries() {
        return heap.size();
    }

    /** Nodes with a live key: the members, but for those that a running walk yielded or defers. */
    int live() {
        return live;
    }

    private void update(int node) {
        if (walking) {
            defer(node);
        } else {
            setLiveKey(node);
        }
    }

    private void defer(int node) {
        if (flags.set(node, DEFERRED)) {
            deferred.push(node);
        }
    }

    private void setLiveKey(int node) {
        readKey(node);
        int at = node * parts;
        if (!flags.set(node, LIVE)) {
            if (Arrays.equals(fresh, 0, parts, liveKeys, at, at + parts)) {
                return;
            }
        } else {
            live++;
        }
        if (at + parts > liveKeys.length) {
            liveKeys = Arrays.copyOf(liveKeys, Growth.lengthFor(at + parts, liveKeys.length));
        }
        System.arraycopy(fresh, 0, liveKeys, at, parts);
        heap.push(node, fresh, 0);
        compactIfDue();
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

    private void dropLiveKey(int node) {
        if (flags.clear(node, LIVE)) {
            live--;
        }
    }

    private boolean isLiveEntry(int node, int entry) {
        return flags.has(node, LIVE) && heap.hasKey(entry, liveKeys, node * parts);
    }

    private boolean isFirstLiveEntry(int node, int entry) {
        return isLiveEntry(node, entry) && flags.set(node, KEPT);
    }

    private void compactIfDue() {
        if (heap.size() > 2 * live + SLACK) {
            heap.retain(firstLiveEntry);
            for (int entry = 0; entry < heap.size(); entry++) {
                flags.clear(heap.node(entry), KEPT);
            }
        }
    }

    private void requireWalk() {
        if (!walking) {
            throw new IllegalStateException("no walk is running: call beginWalk first");
        }
    }
}
