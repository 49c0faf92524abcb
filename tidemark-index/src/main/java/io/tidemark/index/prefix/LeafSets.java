package io.tidemark.index.prefix;

import io.tidemark.index.policy.VictimOrder;

/**
 * Which nodes may be evicted, and the one place that tells the two orders so.
 *
 * <p>A <em>device leaf</em> has slots on the device, no lock and no child on the device. A <em>host leaf</em> has a
 * host copy only, no child at all and no lock of either kind. Whoever changes one of these facts calls
 * {@link #refresh} for the node, and for its parent when the fact is the node's place or its device slots. Whoever
 * changes an input of a policy's key calls {@link #rekeyed}, {@link #pathUsed} or {@link #used}.
 */
class LeafSets {
    private final Nodes nodes;
    private final VictimOrder device;
    private final VictimOrder host;
    private final UseLog uses;
    private final Duplicates duplicates;

    LeafSets(Nodes nodes, TreeOrders orders, Duplicates duplicates) {
        this.nodes = nodes;
        this.device = orders.device();
        this.host = orders.host();
        this.uses = orders.uses();
        this.duplicates = duplicates;
    }

    VictimOrder device() {
        return device;
    }

    VictimOrder host() {
        return host;
    }

    /** Brings the node's membership in both orders, and its kind among the duplicates, in line with its facts. */
    void refresh(int node) {
        boolean isDeviceLeaf = isDeviceLeaf(node);
        if (isDeviceLeaf != nodes.has(node, Nodes.DEVICE_LEAF)) {
            if (isDeviceLeaf) {
                nodes.set(node, Nodes.DEVICE_LEAF);
                device.added(node);
            } else {
                nodes.clear(node, Nodes.DEVICE_LEAF);
                device.removed(node);
            }
        }
        boolean isHostLeaf = isHostLeaf(node);
        if (isHostLeaf != nodes.has(node, Nodes.HOST_LEAF)) {
            if (isHostLeaf) {
                nodes.set(node, Nodes.HOST_LEAF);
                host.added(node);
            } else {
                nodes.clear(node, Nodes.HOST_LEAF);
                host.removed(node);
            }
        }
        duplicates.refresh(node);
    }

    /** An input of the node's key changed, other than by a use. */
    void rekeyed(int node) {
        if (nodes.has(node, Nodes.DEVICE_LEAF)) {
            device.touched(node);
        } else if (nodes.has(node, Nodes.HOST_LEAF)) {
            host.touched(node);
        }
    }

    /** The node was used by itself: its last access is newer than that of any other node. */
    void used(int node) {
        uses.used(node);
        rekeyed(node);
    }

    /** The nodes from {@code end} up to {@code start}, which is left out, were used together. */
    void pathUsed(int end, int start) {
        for (int node = end; node != start; node = nodes.parent(node)) {
            used(node);
        }
    }

    /** The node, the parent of a victim, takes part in the running device walk if it is a leaf now. */
    void promoteOnDevice(int node) {
        if (nodes.has(node, Nodes.DEVICE_LEAF)) {
            device.promote(node);
        }
    }

    /** The node, the parent of a victim, takes part in the running host walk if it is a leaf now. */
    void promoteOnHost(int node) {
        if (nodes.has(node, Nodes.HOST_LEAF)) {
            host.promote(node);
        }
    }

    /** The node is about to be removed from the tree. */
    void removed(int node) {
        if (nodes.has(node, Nodes.DEVICE_LEAF)) {
            nodes.clear(node, Nodes.DEVICE_LEAF);
            device.removed(node);
        }
        if (nodes.has(node, Nodes.HOST_LEAF)) {
            nodes.clear(node, Nodes.HOST_LEAF);
            host.removed(node);
        }
        uses.forget(node);
    }

    void clear() {
        device.clear();
        host.clear();
    }

    /** Whether the node's facts make it a device leaf. */
    boolean isDeviceLeaf(int node) {
        return node != Nodes.ROOT
                && nodes.has(node, Nodes.DEVICE)
                && nodes.locks(node) == 0
                && nodes.deviceChildren(node) == 0;
    }

    /** Whether the node's facts make it a host leaf. */
    boolean isHostLeaf(int node) {
        return node != Nodes.ROOT
                && !nodes.has(node, Nodes.DEVICE)
                && nodes.has(node, Nodes.HOST)
                && nodes.firstChild(node) == Nodes.NONE
                && nodes.hostLocks(node) == 0
                && nodes.locks(node) == 0;
    }
}
