package io.tidemark.index.prefix;

import io.tidemark.index.policy.Keys;
import io.tidemark.index.policy.LazyHeap;
import io.tidemark.index.policy.RecencyList;
import io.tidemark.index.policy.RecencyRule;
import io.tidemark.index.policy.VictimOrder;

/**
 * Exact least-recently-used order of the device leaves at the cost of a list.
 *
 * <p>The list holds nodes of all kinds in order of their last use, so that a parent that becomes a leaf already stands
 * in its place. Of the nodes used by one call the deepest stands first: only it can be a leaf. A node that a walk
 * finds in its way and that is no leaf (locked, or children younger than itself) is taken off the list; should it
 * become a leaf before its next use, it is one of the <em>late</em> ones, kept in a heap by last access. The next
 * victim is the older of the list's first leaf and the heap's top. A node is taken off at most once a use, hence a
 * walk costs its victims, whatever stands in between.
 */
final class PathRecency implements VictimOrder, UseLog {
    private final Nodes nodes;
    private final RecencyList list = new RecencyList(RecencyRule.LRU);
    private final LazyHeap late;
    private int members;
    /** First leaf of the list that the running walk has not yielded yet. */
    private int candidate = NONE;

    PathRecency(Nodes nodes) {
        this.nodes = nodes;
        this.late = new LazyHeap(Keys.one(nodes::lastAccess));
    }

    @Override
    public void used(int node) {
        if (list.contains(node)) {
            list.touched(node);
        } else {
            late.removed(node);
            list.added(node);
        }
    }

    @Override
    public void forget(int node) {
        list.removed(node);
    }

    @Override
    public void added(int node) {
        members++;
        if (!list.contains(node)) {
            late.added(node);
        }
    }

    /** Nothing to do: uses arrive through {@link #used}. */
    @Override
    public void touched(int node) {}

    /** Nothing to do: uses arrive through {@link #used}. */
    @Override
    public void touchedBehind(int node, int ahead) {}

    @Override
    public void removed(int node) {
        members--;
        if (!list.contains(node)) {
            late.removed(node);
        }
        if (candidate == node) {
            candidate = NONE;
        }
    }

    @Override
    public boolean contains(int node) {
        return list.contains(node) ? isLeaf(node) : late.contains(node);
    }

    @Override
    public int size() {
        return members;
    }

    @Override
    public void beginWalk() {
        list.beginWalk();
        late.beginWalk();
        candidate = NONE;
    }

    @Override
    public int popNext() {
        int listed = firstListed();
        int waiting = late.peekNext();
        if (waiting == NONE || (listed != NONE && nodes.lastAccess(listed) < nodes.lastAccess(waiting))) {
            candidate = NONE;
            return listed;
        }
        return late.popNext();
    }

    @Override
    public int following(int node) {
        return list.following(node);
    }

    @Override
    public void promote(int node) {
        if (!list.contains(node)) {
            late.promote(node);
        }
    }

    @Override
    public void endWalk() {
        candidate = NONE;
        list.endWalk();
        late.endWalk();
    }

    @Override
    public void clear() {
        list.clear();
        late.clear();
        members = 0;
        candidate = NONE;
    }

    private int firstListed() {
        while (candidate == NONE) {
            int next = list.popNext();
            if (next == NONE) {
                return NONE;
            }
            if (isLeaf(next)) {
                candidate = next;
            } else {
                list.removed(next);
            }
        }
        return candidate;
    }

    private boolean isLeaf(int node) {
        return nodes.has(node, Nodes.DEVICE_LEAF);
    }
}
