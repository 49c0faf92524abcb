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
            freed += dropDuplicates(units, Duplicates.Kind.INNER);
            freed += dropDuplicates(units - freed, Duplicates.Kind.LEAF);
        }
        return freed + evictLeaves(units - freed);
    }

    private long dropDuplicates(long units, Duplicates.Kind kind) {
        long freed = 0;
        while (freed < units) {
            int node = tree.host().duplicates().take(kind);
            if (node == Nodes.NONE) {
                break;
            }
            tree.listener().dropDuplicate(node);
            tree.events().removed(node, Medium.CPU_PINNED);
            tree.host().drop(node);
            freed += nodes.length(node);
        }
        return freed;
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
