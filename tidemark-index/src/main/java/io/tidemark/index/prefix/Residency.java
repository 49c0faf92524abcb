package io.tidemark.index.prefix;

/**
 * Where nodes have copies, and the two sums over the device: units that may be evicted and units under a lock. Both
 * change nowhere else.
 */
final class Residency {
    private final Nodes nodes;
    private long evictable;
    private long locked;

    Residency(Nodes nodes) {
        this.nodes = nodes;
    }

    /** Units on the device without a lock. */
    long evictable() {
        return evictable;
    }

    /** Units on the device under a lock. */
    long locked() {
        return locked;
    }

    /** The node, a child already, got slots on the device. */
    void deviceGained(int node) {
        assert !nodes.has(node, Nodes.DEVICE) : "node " + node + " is on the device";
        nodes.set(node, Nodes.DEVICE);
        int parent = nodes.parent(node);
        nodes.deviceChildren(parent, nodes.deviceChildren(parent) + 1);
        add(node, nodes.length(node));
    }

    /** The node, still a child, lost its slots on the device. */
    void deviceLost(int node) {
        assert nodes.has(node, Nodes.DEVICE) : "node " + node + " is not on the device";
        nodes.clear(node, Nodes.DEVICE);
        int parent = nodes.parent(node);
        nodes.deviceChildren(parent, nodes.deviceChildren(parent) - 1);
        add(node, -nodes.length(node));
    }

    /** Adds to the node's locks; its units change sides when the first comes or the last goes. */
    void lock(int node, int delta) {
        int before = nodes.locks(node);
        int after = before + delta;
        if (after < 0) {
            throw new IllegalStateException("node " + node + " has " + before + " locks, cannot take " + -delta);
        }
        nodes.locks(node, after);
        if ((before == 0 || after == 0) && nodes.has(node, Nodes.DEVICE)) {
            int units = after == 0 ? nodes.length(node) : -nodes.length(node);
            evictable += units;
            locked -= units;
        }
    }

    void clear() {
        evictable = 0;
        locked = 0;
    }

    private void add(int node, int units) {
        if (nodes.locks(node) == 0) {
            evictable += units;
        } else {
            locked += units;
        }
    }
}
