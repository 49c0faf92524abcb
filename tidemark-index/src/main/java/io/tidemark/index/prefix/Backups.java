package io.tidemark.index.prefix;

import java.util.Arrays;

/**
 * Copies nodes to the host tier. The copy counts as there from its start, so that nothing starts it again; until
 * {@link #done} the node is marked, and under write-through locked.
 *
 * <p>Under write-through a node's ancestors are backed up before it: what is on the host is a closed part of the tree.
 */
final class Backups<V> {
    private final TreeParts<V> tree;
    private final Nodes nodes;
    private final HostEvictor<V> evictor;
    /** What {@link #afterHit} is about to back up. */
    private int[] path = new int[16];

    /** What {@link #done} completes; a transfer may be done within its start, while the path is gone through. */
    private int[] written = new int[16];

    private int inFlight;

    Backups(TreeParts<V> tree, HostEvictor<V> evictor) {
        this.tree = tree;
        this.nodes = tree.nodes();
        this.evictor = evictor;
    }

    /** Backups that were started and are not done. */
    int inFlight() {
        return inFlight;
    }

    /** An insert counted a hit: backs the node up, after its ancestors, once it has enough. */
    void afterHit(int node) {
        if (nodes.has(node, Nodes.HOST)
                || nodes.hits(node) < tree.options().host().hitThreshold()) {
            return;
        }
        int length = 0;
        for (int at = node; at != Nodes.ROOT && !nodes.has(at, Nodes.HOST); at = nodes.parent(at)) {
            path = with(path, length++, at);
        }
        while (length > 0 && start(path[length - 1])) {
            length--;
        }
    }

    /** Starts the backup of one node; false when the host tier has no room and can make none. */
    boolean start(int node) {
        HostTier tier = tree.host().tier();
        int length = nodes.length(node);
        long missing = length - tier.freeUnits();
        if (missing > 0 && evictor.evict(missing) < missing) {
            return false;
        }
        boolean granted = tier.freeUnits() >= length;
        tree.listener().backup(node, granted);
        if (!granted || !tier.reserve(node, length)) {
            return false;
        }
        nodes.set(node, Nodes.HOST);
        tree.host().fields().write(node, node);
        if (!tree.isWriteBack()) {
            tree.locks().lock(node);
        }
        inFlight++;
        tree.transfers().write(node);
        return true;
    }

    /** The copy that was started for this node is there, with all pieces that were split off since. */
    void done(int node) {
        HostFields fields = tree.host().fields();
        if (!nodes.isAlive(node) || fields.write(node) != node) {
            throw new IllegalArgumentException("no backup of node " + node + " is in flight");
        }
        inFlight--;
        int length = 0;
        for (int at = node; at != Nodes.ROOT && fields.write(at) == node; at = nodes.parent(at)) {
            written = with(written, length++, at);
        }
        for (int i = length - 1; i >= 0; i--) {
            fields.write(written[i], Nodes.NONE);
            tree.host().duplicates().track(written[i]);
            tree.events().stored(written[i], Medium.CPU_PINNED);
        }
        if (!tree.isWriteBack()) {
            tree.locks().unlock(node);
        }
    }

    void clear() {
        inFlight = 0;
    }

    /** The list with a node at {@code index}, where it has room for it. */
    private static int[] with(int[] list, int index, int node) {
        int[] roomy = index == list.length ? Arrays.copyOf(list, index * 2) : list;
        roomy[index] = node;
        return roomy;
    }
}
