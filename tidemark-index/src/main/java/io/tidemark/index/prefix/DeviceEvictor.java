package io.tidemark.index.prefix;

import io.tidemark.index.policy.VictimOrder;

/**
 * Frees room on the device, leaf by leaf in the order of the policy. A victim whose parent becomes a leaf lets the
 * parent take part in the same walk.
 *
 * <p>A victim with a host copy is demoted: its node stays. Others are deleted; under write-back they are backed up
 * first, and when the host has no room, dropped together with what lies below them on the host only.
 */
final class DeviceEvictor<V> {
    private static final long NO_TARGET = Long.MAX_VALUE;
    /** A smaller tree fits the caches: short walks do not read ahead. */
    private static final int LARGE_TREE_NODES = 1 << 17;
    /** A walk for more units than this reads ahead in any tree. */
    private static final long LONG_WALK = 1_024;

    private final TreeParts<V> tree;
    private final Nodes nodes;
    private final Remover<V> remover;
    private final Backups<V> backups;
    private final Lookahead lookahead;

    /** The parent of what was evicted last. */
    private int exposed = Nodes.ROOT;

    DeviceEvictor(TreeParts<V> tree, Remover<V> remover, Backups<V> backups) {
        this.tree = tree;
        this.nodes = tree.nodes();
        this.remover = remover;
        this.backups = backups;
        this.lookahead = new Lookahead(tree);
    }

    /** Frees at least so many units if it can; answers how many. */
    long evict(long units) {
        long freed = units > 0 ? walk(units, NO_TARGET) : 0;
        awaitWrites();
        return freed;
    }

    /** Frees until the allocator has {@code freeUnits} units; {@code units} is the least to ask for. */
    long evictUntilFree(long freeUnits, long units) {
        long quota = Math.max(units, tree.residency().evictable());
        long freed = tree.room().freeUnits() < freeUnits ? walk(quota, freeUnits) : 0;
        awaitWrites();
        return freed;
    }

    private long walk(long units, long freeUnits) {
        VictimOrder order = tree.leaves().device();
        long freed = 0;
        boolean readsAhead = units > LONG_WALK || nodes.size() > LARGE_TREE_NODES;
        order.beginWalk();
        try {
            while (freed < units) {
                int victim = order.popNext();
                if (victim == VictimOrder.NONE) {
                    break;
                }
                if (readsAhead) {
                    lookahead.step(order, victim);
                }
                freed += evictLeaf(victim);
                tree.leaves().promoteOnDevice(exposed);
                if (freeUnits != NO_TARGET && tree.room().freeUnits() >= freeUnits) {
                    break;
                }
            }
        } finally {
            order.endWalk();
        }
        return freed;
    }

    /**
     * Frees component values, in the component's order, until so many units are free: leaves go as a whole, other nodes
     * become tombstones.
     *
     * @return units freed
     */
    long evict(NodeComponent<V> component, long units) {
        HeldValues held = component.held();
        VictimOrder order = held.order().list();
        long before = held.released();
        order.beginWalk();
        try {
            while (held.released() - before < units) {
                int victim = order.popNext();
                if (victim == VictimOrder.NONE) {
                    break;
                }
                if (nodes.has(victim, Nodes.DEVICE_LEAF)) {
                    evictLeaf(victim);
                } else if (held.locks(victim) == 0) {
                    tree.listener().tombstone(victim);
                    tree.components().tombstone(victim, component);
                }
            }
        } finally {
            order.endWalk();
        }
        return held.released() - before;
    }

    /** Frees a device leaf, and if asked to what that reveals; answers the units freed. */
    private long evictLeaf(int leaf) {
        exposed = nodes.parent(leaf);
        tree.listener().victim(leaf);
        long freed = free(leaf);
        while (tree.options().components().takesRevealed() && isRevealed(exposed)) {
            int revealed = exposed;
            exposed = nodes.parent(revealed);
            tree.listener().victim(revealed);
            freed += free(revealed);
        }
        return freed;
    }

    private boolean isRevealed(int node) {
        return nodes.has(node, Nodes.DEVICE_LEAF) && tree.components().isTombstone(node);
    }

    /** Answers the units freed, 0 when the victim stays. */
    private int free(int node) {
        if (nodes.has(node, Nodes.HOST)) {
            return demote(node);
        }
        if (!tree.isWriteBack()) {
            return delete(node);
        }
        if (backups.start(node)) {
            tree.transfers().awaitWrites();
            return demote(node);
        }
        return dropSubtree(node);
    }

    private int demote(int node) {
        tree.listener().demote(node);
        tree.events().removed(node, Medium.GPU);
        int length = nodes.length(node);
        tree.residency().deviceLost(node);
        tree.leaves().refresh(node);
        tree.leaves().refresh(nodes.parent(node));
        tree.slots().release(node, length);
        return length;
    }

    private int delete(int node) {
        tree.listener().delete(node);
        tree.events().removed(node, Medium.GPU);
        int length = nodes.length(node);
        tree.residency().deviceLost(node);
        try {
            tree.slots().release(node, length);
        } finally {
            remover.remove(node);
        }
        return length;
    }

    private int dropSubtree(int node) {
        boolean droppable = isDroppable(node);
        tree.listener().dropSubtree(node, droppable);
        if (!droppable) {
            return 0;
        }
        int at = node;
        while (nodes.firstChild(node) != Nodes.NONE) {
            while (nodes.firstChild(at) != Nodes.NONE) {
                at = nodes.firstChild(at);
            }
            int parent = nodes.parent(at);
            tree.events().removed(at, Medium.CPU_PINNED);
            tree.host().drop(at);
            remover.remove(at);
            at = parent;
        }
        return delete(node);
    }

    /** Whether nothing holds the node or a node below it; those below are on the host only. */
    private boolean isDroppable(int root) {
        if (tree.host().fields().load(root) != Nodes.NONE || isLocked(root)) {
            return false;
        }
        int at = nextBelow(root, root);
        while (at != root) {
            if (isLocked(at) || !tree.host().fields().isSettled(at)) {
                return false;
            }
            at = nextBelow(at, root);
        }
        return true;
    }

    private boolean isLocked(int node) {
        return nodes.locks(node) != 0 || nodes.hostLocks(node) != 0;
    }

    /** The next node below {@code root}, parents before children; {@code root} after the last. */
    private int nextBelow(int node, int root) {
        if (nodes.firstChild(node) != Nodes.NONE) {
            return nodes.firstChild(node);
        }
        int at = node;
        while (at != root && nodes.nextSibling(at) == Nodes.NONE) {
            at = nodes.parent(at);
        }
        return at == root ? root : nodes.nextSibling(at);
    }

    private void awaitWrites() {
        if (tree.isWriteBack()) {
            tree.transfers().awaitWrites();
        }
    }
}
