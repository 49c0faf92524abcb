package io.tidemark.index.prefix;

import io.tidemark.index.policy.VictimOrder;

/**
 * Frees room in the host tier. Under write-back, copies of nodes that are on the device as well go first, those that
 * are not next to be evicted there before the others; then host leaves, in the order of the policy.
 */
final class HostEvictor<V> {
    private final TreeParts<V> tree;
    private final Nodes nodes;
    private final Remover<V> remover;

    HostEvictor(TreeParts<V> tree, Remover<V> remover) {
        this.tree = tree;
        this.nodes = tree.nodes();
        this.remover = remover;
    }

    /** Frees at least so many units if it can; answers how many. */
    long evict(long units) {
        long freed = 0;
        if (tree.isWriteBack()) {
            freed += dropDuplicates(units, true);
            freed += dropDuplicates(units - freed, false);
        }
        return freed + evictLeaves(units - freed);
    }

    private long dropDuplicates(long units, boolean spareLeaves) {
        Duplicates duplicates = tree.host().duplicates();
        long freed = 0;
        for (int place = duplicates.first(); place != Nodes.NONE && freed < units; place = duplicates.next(place)) {
            int node = duplicates.at(place);
            if (!nodes.has(node, Nodes.DEVICE) || !nodes.has(node, Nodes.HOST)) {
                duplicates.forgetAt(place);
            } else if (isReclaimable(node) && !(spareLeaves && nodes.has(node, Nodes.DEVICE_LEAF))) {
                tree.listener().dropDuplicate(node);
                duplicates.forgetAt(place);
                tree.events().removed(node, Medium.CPU_PINNED);
                tree.host().drop(node);
                freed += nodes.length(node);
            }
        }
        return freed;
    }

    private boolean isReclaimable(int node) {
        return tree.host().fields().isSettled(node) && nodes.hostLocks(node) == 0;
    }

    private long evictLeaves(long units) {
        if (units <= 0) {
            return 0;
        }
        VictimOrder order = tree.leaves().host();
        long freed = 0;
        order.beginWalk();
        try {
            while (freed < units) {
                int victim = order.popNext();
                if (victim == VictimOrder.NONE) {
                    break;
                }
                int parent = nodes.parent(victim);
                freed += nodes.length(victim);
                evictLeaf(victim);
                tree.leaves().promoteOnHost(parent);
            }
        } finally {
            order.endWalk();
        }
        return freed;
    }

    private void evictLeaf(int node) {
        tree.listener().evictHost(node);
        tree.events().removed(node, Medium.CPU_PINNED);
        tree.host().drop(node);
        remover.remove(node);
    }
}
