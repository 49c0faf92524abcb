package io.tidemark.index.prefix;

/** Recomputes from the plain facts of the nodes whatever the tree keeps beside them. */
final class SanityCheck {
    private final TreeParts<?> tree;
    private final Nodes nodes;
    private long evictable;
    private long locked;
    private int reached;
    private int deviceLeaves;
    private int hostLeaves;
    private int duplicates;
    private int writes;
    private int loads;

    SanityCheck(TreeParts<?> tree) {
        this.tree = tree;
        this.nodes = tree.nodes();
    }

    /** Throws {@link IllegalStateException} that names the first broken rule. */
    void run(int writesInFlight, int loadsInFlight) {
        require(nodes.parent(Nodes.ROOT) == Nodes.NONE, Nodes.ROOT, "has a parent");
        require(!nodes.has(Nodes.ROOT, Nodes.DEVICE_LEAF | Nodes.HOST_LEAF), Nodes.ROOT, "is a leaf");
        visitChildren(Nodes.ROOT);
        int node = nodes.firstChild(Nodes.ROOT);
        while (node != Nodes.NONE) {
            visit(node);
            visitChildren(node);
            node = following(node);
        }
        equal(reached, nodes.size(), "reachable nodes");
        equal(evictable, tree.residency().evictable(), "evictable units");
        equal(locked, tree.residency().locked(), "locked units");
        equal(deviceLeaves, tree.leaves().device().size(), "device leaves");
        equal(hostLeaves, tree.leaves().host().size(), "host leaves");
        equal(duplicates, tree.host().duplicates().size(), "duplicates");
        equal(writes, writesInFlight, "backups in flight");
        equal(loads, loadsInFlight, "loads in flight");
        checkComponents();
    }

    private void visit(int node) {
        reached++;
        int parent = nodes.parent(node);
        boolean onDevice = nodes.has(node, Nodes.DEVICE);
        boolean onHost = nodes.has(node, Nodes.HOST);
        require(nodes.length(node) > 0, node, "is empty");
        require(nodes.length(node) % tree.shape().pageSize() == 0, node, "ends within a page");
        require(onDevice || onHost, node, "has no copy");
        if (onDevice) {
            require(parent == Nodes.ROOT || nodes.has(parent, Nodes.DEVICE), node, "is on the device, its parent not");
        }
        if (onHost && !tree.isWriteBack()) {
            require(parent == Nodes.ROOT || nodes.has(parent, Nodes.HOST), node, "is on the host, its parent not");
        }
        visitCounts(node, parent);
        visitLeaf(node);
        visitTransfers(node);
        if (onDevice && nodes.locks(node) == 0) {
            evictable += nodes.length(node);
        } else if (onDevice) {
            locked += nodes.length(node);
        }
    }

    private void checkComponents() {
        for (NodeComponent<?> component : tree.components().all()) {
            HeldValues held = component.held();
            int members = 0;
            for (int node = nodes.firstChild(Nodes.ROOT); node != Nodes.NONE; node = following(node)) {
                component.check(node);
                require(held.has(node) == held.order().list().contains(node), node, "and a component's order disagree");
                require(held.locks(node) >= 0, node, "has negative locks of a component");
                require(held.locks(node) <= nodes.locks(node), node, "has more locks of a component than of the path");
                members += held.has(node) ? 1 : 0;
            }
            equal(members, held.order().list().size(), "nodes in a component's order");
        }
    }

    private void visitCounts(int node, int parent) {
        require(nodes.locks(node) >= 0 && nodes.hostLocks(node) >= 0, node, "has negative locks");
        require(nodes.sessions(node) >= 0, node, "has negative session references");
        if (parent != Nodes.ROOT) {
            require(nodes.locks(parent) >= nodes.locks(node), node, "has more locks than its parent");
        }
        require(!tree.sessions().isMarked(node) || nodes.sessions(node) > 0, node, "is marked but not referred to");
    }

    private void visitLeaf(int node) {
        boolean deviceLeaf = tree.leaves().isDeviceLeaf(node);
        boolean hostLeaf = tree.leaves().isHostLeaf(node);
        require(deviceLeaf == nodes.has(node, Nodes.DEVICE_LEAF), node, "is wrong about being a device leaf");
        require(hostLeaf == nodes.has(node, Nodes.HOST_LEAF), node, "is wrong about being a host leaf");
        require(deviceLeaf == tree.leaves().device().contains(node), node, "and the device order disagree");
        require(hostLeaf == tree.leaves().host().contains(node), node, "and the host order disagree");
        deviceLeaves += deviceLeaf ? 1 : 0;
        hostLeaves += hostLeaf ? 1 : 0;
    }

    private void visitTransfers(int node) {
        if (tree.host().duplicates().isListed(node)) {
            duplicates++;
            require(tree.host().duplicates().isFiledRightly(node), node, "is filed wrongly among the duplicates");
        }
        loads += nodes.has(node, Nodes.LOADING) ? 1 : 0;
        require(!nodes.has(node, Nodes.LOADING) || nodes.locks(node) > 0, node, "is being loaded without a lock");
        if (tree.options().host().policy() == WritePolicy.NONE) {
            return;
        }
        HostFields fields = tree.host().fields();
        int write = fields.write(node);
        writes += write == node ? 1 : 0;
        require(write == Nodes.NONE || fields.write(write) == write, node, "waits for a backup that is not running");
        require(
                write == Nodes.NONE || tree.isWriteBack() || nodes.locks(node) > 0,
                node,
                "is being backed up unlocked");
        int load = fields.load(node);
        require(load == Nodes.NONE || nodes.has(load, Nodes.LOADING), node, "waits for a load that is not running");
    }

    private void visitChildren(int node) {
        int onDevice = 0;
        int previous = Nodes.NONE;
        for (int child = nodes.firstChild(node); child != Nodes.NONE; child = nodes.nextSibling(child)) {
            require(nodes.isAlive(child), child, "is a child but not alive");
            require(nodes.parent(child) == node, child, "has another parent than " + node);
            require(nodes.previousSibling(child) == previous, child, "has a broken list of siblings");
            require(find(child) == child, child, "is not found under its parent");
            onDevice += nodes.has(child, Nodes.DEVICE) ? 1 : 0;
            previous = child;
        }
        equal(onDevice, nodes.deviceChildren(node), "device children of node " + node);
    }

    private int find(int node) {
        int[] page = new int[tree.shape().childTokens()];
        tree.tokens().copyOut(node, 0, page, 0, page.length);
        return tree.children().find(nodes.parent(node), new TokenKey().set(nodes.namespace(node), page), 0);
    }

    private int following(int node) {
        if (nodes.firstChild(node) != Nodes.NONE) {
            return nodes.firstChild(node);
        }
        int at = node;
        while (at != Nodes.ROOT && nodes.nextSibling(at) == Nodes.NONE) {
            at = nodes.parent(at);
        }
        return at == Nodes.ROOT ? Nodes.NONE : nodes.nextSibling(at);
    }

    static void require(boolean holds, int node, String broken) {
        if (!holds) {
            throw new IllegalStateException("node " + node + " " + broken);
        }
    }

    private static void equal(long counted, long kept, String what) {
        if (counted != kept) {
            throw new IllegalStateException(what + ": counted " + counted + ", the tree says " + kept);
        }
    }
}
