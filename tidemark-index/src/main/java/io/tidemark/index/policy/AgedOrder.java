package io.tidemark.index.policy;

/**
 * Greedy-dual by frequency ({@code gdsf}): a node is worth its uses times what it costs to make anew, on top of the age
 * of the order at its last use. The age is the worth of the dearest node offered so far, so that what is not used again
 * is overtaken. Frozen between uses.
 */
public final class AgedOrder implements UseHearing {
    private final NodeFacts facts;
    private final LazyHeap heap;
    private final PagedLongs worth = new PagedLongs();
    /** The owner's last use of the node at which its worth was set, plus one. */
    private final PagedLongs valuedAt = new PagedLongs();

    private long age;

    /** An empty order over the owner's facts. */
    public AgedOrder(NodeFacts facts) {
        this.facts = facts;
        this.heap = new LazyHeap(Keys.two(worth::get, facts::lastAccess));
    }

    @Override
    public void used(int node) {
        value(node);
        heap.touched(node);
    }

    @Override
    public void added(int node) {
        if (!heap.contains(node)) {
            valueIfUsed(node);
            heap.added(node);
        }
    }

    @Override
    public void touched(int node) {
        if (heap.contains(node)) {
            valueIfUsed(node);
            heap.touched(node);
        }
    }

    @Override
    public void touchedBehind(int node, int ahead) {
        touched(node);
    }

    @Override
    public void removed(int node) {
        heap.removed(node);
    }

    @Override
    public boolean contains(int node) {
        return heap.contains(node);
    }

    @Override
    public int size() {
        return heap.size();
    }

    @Override
    public void beginWalk() {
        heap.beginWalk();
    }

    @Override
    public int popNext() {
        int node = heap.popNext();
        if (node != NONE) {
            age = Math.max(age, worth.get(node));
        }
        return node;
    }

    @Override
    public void promote(int node) {
        heap.promote(node);
    }

    @Override
    public void endWalk() {
        heap.endWalk();
    }

    @Override
    public void clear() {
        heap.clear();
        worth.clear();
        valuedAt.clear();
        age = 0;
    }

    private void valueIfUsed(int node) {
        if (valuedAt.get(node) != facts.lastAccess(node) + 1) {
            value(node);
        }
    }

    private void value(int node) {
        worth.set(node, age + (1 + facts.hits(node)) * facts.cost(node));
        valuedAt.set(node, facts.lastAccess(node) + 1);
    }
}
