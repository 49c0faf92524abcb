package io.tidemark.index.prefix;

/**
 * Brings nodes back from the host to the device. The slots count as there from the start; path and host copy are
 * locked until {@link #done}.
 */
final class LoadBacks<V> {
    private final TreeParts<V> tree;
    private final Nodes nodes;
    private final DeviceEvictor<V> evictor;
    private int inFlight;

    LoadBacks(TreeParts<V> tree, DeviceEvictor<V> evictor) {
        this.tree = tree;
        this.nodes = tree.nodes();
        this.evictor = evictor;
    }

    /** Loads that were started and are not done. */
    int inFlight() {
        return inFlight;
    }

    /** Starts to load the node and those of its ancestors that are on the host only. */
    LoadBack start(int node) {
        if (nodes.has(node, Nodes.LOADING)) {
            return LoadBack.IN_FLIGHT;
        }
        if (node == Nodes.ROOT || nodes.has(node, Nodes.DEVICE)) {
            return LoadBack.ON_DEVICE;
        }
        int receipt = tree.host().locks().lock(node);
        tree.locks().lock(node);
        boolean granted = false;
        try {
            granted = makeRoom(node);
        } finally {
            tree.locks().unlock(node);
            if (!granted) {
                tree.host().locks().unlock(node, receipt);
            }
        }
        if (!granted) {
            return LoadBack.REFUSED;
        }
        commit(node, receipt);
        tree.transfers().load(node);
        return LoadBack.STARTED;
    }

    /** The transfer that was started for this node is done. */
    void done(int node) {
        if (!nodes.isAlive(node) || !nodes.has(node, Nodes.LOADING)) {
            throw new IllegalArgumentException("no load of node " + node + " is in flight");
        }
        HostFields fields = tree.host().fields();
        inFlight--;
        nodes.clear(node, Nodes.LOADING);
        tree.locks().unlock(node);
        tree.host().locks().unlock(node, fields.loadReceipt(node));
        for (int at = node; at != Nodes.ROOT; at = nodes.parent(at)) {
            if (!tree.isWriteBack()) {
                tree.host().duplicates().track(at);
            } else if (fields.load(at) == node) {
                fields.load(at, Nodes.NONE);
                tree.host().duplicates().track(at);
            }
        }
    }

    void clear() {
        inFlight = 0;
    }

    private boolean makeRoom(int node) {
        long units = 0;
        for (int at = node; !isOnDevice(at); at = nodes.parent(at)) {
            int load = tree.host().fields().load(at);
            if (load != Nodes.NONE && load != node) {
                return false;
            }
            units += nodes.length(at);
        }
        if (units < Math.max(1, tree.options().host().loadBackThreshold())) {
            return false;
        }
        long missing = units - tree.room().freeUnits();
        if (missing > 0) {
            evictor.evictUntilFree(units, missing);
        }
        return tree.room().freeUnits() >= units;
    }

    /** From the top down, so that a node's parent is on the device before it. The lock re-judges the whole path. */
    private void commit(int node, int receipt) {
        int top = Nodes.NONE;
        while (top != node) {
            top = node;
            while (!isOnDevice(nodes.parent(top))) {
                top = nodes.parent(top);
            }
            restore(top, node);
        }
        nodes.set(node, Nodes.LOADING);
        tree.host().fields().loadReceipt(node, receipt);
        tree.locks().lock(node);
        inFlight++;
    }

    private void restore(int node, int loaded) {
        if (tree.isWriteBack()) {
            tree.host().fields().load(node, loaded);
        }
        tree.slots().allocate(node, nodes.length(node));
        tree.residency().deviceGained(node);
        // its path is locked, maybe by others before: then nothing else would tell
        tree.host().duplicates().refresh(node);
        tree.events().stored(node, Medium.GPU);
    }

    private boolean isOnDevice(int node) {
        return node == Nodes.ROOT || nodes.has(node, Nodes.DEVICE);
    }
}
