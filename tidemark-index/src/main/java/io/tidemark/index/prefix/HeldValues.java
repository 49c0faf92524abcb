package io.tidemark.index.prefix;

/**
 * Which nodes hold values of one component, how often those are locked, and both sums of units. The component's order
 * has exactly the nodes that hold values; a walk passes over locked ones.
 */
final class HeldValues {
    private final Nodes nodes;
    private final int flag;
    private final IntColumn locks;
    private final ComponentOrder order;
    private long evictable;
    private long locked;
    private long released;

    /**
     * A component without values.
     *
     * @param flag of {@link Nodes}, set for nodes with values
     */
    HeldValues(Nodes nodes, int flag, ComponentOrder order) {
        this.nodes = nodes;
        this.flag = flag;
        this.locks = nodes.column(1, 0);
        this.order = order;
    }

    ComponentOrder order() {
        return order;
    }

    boolean has(int node) {
        return nodes.has(node, flag);
    }

    int locks(int node) {
        return locks.get(node, 0);
    }

    /** Units of unlocked values. */
    long evictable() {
        return evictable;
    }

    /** Units of locked values. */
    long locked() {
        return locked;
    }

    /** Units ever given up; a walk takes the difference. */
    long released() {
        return released;
    }

    /** The node got so many units: the newest of all. */
    void hold(int node, int units) {
        assert !has(node) : "node " + node + " has values";
        nodes.set(node, flag);
        add(node, units);
        order.held(node);
    }

    /** The node, which is not locked, gave its units up. */
    void drop(int node, int units) {
        assert has(node) && locks(node) == 0 : "node " + node + " with " + locks(node) + " locks";
        nodes.clear(node, flag);
        add(node, -units);
        released += units;
        order.dropped(node);
    }

    /** The prefix shares locks with the suffix, and values if the suffix has some. No sum changes. */
    void split(int prefix, int suffix) {
        locks.set(prefix, 0, locks(suffix));
        if (has(suffix)) {
            nodes.set(prefix, flag);
            order.split(prefix, suffix);
        }
    }

    /** Adds to the locks of a node that has, or would have, so many units. */
    void lock(int node, int delta, int units) {
        int before = locks(node);
        int after = before + delta;
        if (after < 0) {
            throw new IllegalStateException("node " + node + " has " + before + " locks of a component, cannot take "
                    + -delta + ": is the receipt that of its lock?");
        }
        locks.set(node, 0, after);
        if ((before == 0 || after == 0) && has(node)) {
            int moved = after == 0 ? units : -units;
            evictable += moved;
            locked -= moved;
        }
    }

    void clear() {
        order.clear();
        evictable = 0;
        locked = 0;
    }

    private void add(int node, int units) {
        if (locks(node) == 0) {
            evictable += units;
        } else {
            locked += units;
        }
    }
}
