package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.List;

/**
 * The components of one tree, the highest rank first; what the tree tells one it tells all. A plain tree has none, and
 * every call here does nothing.
 */
final class Components<V> {
    private final Nodes nodes;
    private final List<NodeComponent<V>> all = new ArrayList<>();

    Components(Nodes nodes) {
        this.nodes = nodes;
    }

    /** Adds the one of the next lower rank. */
    void add(NodeComponent<V> component) {
        all.add(component);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** The rules of all, new ones, for one thread that matches. */
    List<MatchRule> rules() {
        return all.stream().map(NodeComponent::rule).toList();
    }

    void matched(int end) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).matched(end);
        }
    }

    /** The first unit that some component took over. */
    int overlapped(int node, int from, int to, Insertion<V> insertion) {
        int first = to;
        for (int i = 0; i < all.size(); i++) {
            first = Math.min(first, all.get(i).overlapped(node, from, to, insertion));
        }
        return first;
    }

    void duplicated(int from, int to, Insertion<V> insertion) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).duplicated(from, to, insertion);
        }
    }

    void leafAdded(int leaf, int from, int to, Insertion<V> insertion) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).leafAdded(leaf, from, to, insertion);
        }
    }

    void inserted(int end, boolean newLeaf, Insertion<V> insertion) {
        for (int i = 0; end != Nodes.ROOT && i < all.size(); i++) {
            all.get(i).inserted(end, newLeaf, insertion);
        }
    }

    void split(int prefix, int suffix, int at) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).split(prefix, suffix, at);
        }
    }

    /** Locks in all; the receipt is that of the one whose lock has an end, the others need none. */
    int lock(int node) {
        int receipt = 0;
        for (int i = 0; i < all.size(); i++) {
            receipt = Math.max(receipt, all.get(i).lock(node));
        }
        return receipt;
    }

    void unlock(int node, int receipt) {
        for (int i = all.size() - 1; i >= 0; i--) {
            all.get(i).unlock(node, receipt);
        }
    }

    /** The node leaves the tree: all give up what they hold. */
    void removed(int node) {
        release(node, 0);
    }

    /** The component gives up the node's values; so do those of lower rank, which are no use without them. */
    void tombstone(int node, NodeComponent<V> component) {
        release(node, all.indexOf(component));
    }

    /** Whether the node has full values but those of no component. */
    boolean isTombstone(int node) {
        return !all.isEmpty() && !nodes.has(node, Nodes.WINDOW | Nodes.STATE);
    }

    void clear() {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).clear();
        }
    }

    List<NodeComponent<V>> all() {
        return all;
    }

    private void release(int node, int from) {
        for (int i = from; i < all.size(); i++) {
            if (all.get(i).held().has(node)) {
                all.get(i).release(node);
            }
        }
    }
}
