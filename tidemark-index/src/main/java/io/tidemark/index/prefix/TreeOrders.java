package io.tidemark.index.prefix;

import io.tidemark.index.policy.KeyFunction;
import io.tidemark.index.policy.Keys;
import io.tidemark.index.policy.LazyHeap;
import io.tidemark.index.policy.RebuiltHeap;
import io.tidemark.index.policy.VictimOrder;

/**
 * The two orders of a tree.
 *
 * @param device over device leaves
 * @param host over host leaves
 * @param uses what must hear of uses of nodes that are no leaves
 */
record TreeOrders(VictimOrder device, VictimOrder host, UseLog uses) {
    /** The orders that the options ask for, over the facts in the store. */
    static TreeOrders of(TreeOptions options, Nodes nodes) {
        KeyFunction plain = plain(options.policy(), nodes);
        KeyFunction key = options.sessions() ? Keys.prefixed(nodes::sessions, plain) : plain;
        if (options.rebuildEachWalk()) {
            return new TreeOrders(new RebuiltHeap(key), new RebuiltHeap(key), UseLog.SILENT);
        }
        if (options.policy() instanceof TreePolicy.Lru && !options.sessions()) {
            PathRecency recency = new PathRecency(nodes);
            return new TreeOrders(recency, new LazyHeap(key), recency);
        }
        return new TreeOrders(new LazyHeap(key), new LazyHeap(key), UseLog.SILENT);
    }

    /** The key without sessions. */
    private static KeyFunction plain(TreePolicy policy, Nodes nodes) {
        return switch (policy) {
            case TreePolicy.Lru() -> Keys.one(nodes::lastAccess);
            case TreePolicy.Mru() -> Keys.one(node -> -nodes.lastAccess(node));
            case TreePolicy.Fifo() -> Keys.one(nodes::created);
            case TreePolicy.Filo() -> Keys.one(node -> -nodes.created(node));
            case TreePolicy.Lfu() -> Keys.two(nodes::hits, nodes::lastAccess);
            case TreePolicy.Priority() -> Keys.two(nodes::priority, nodes::lastAccess);
            case TreePolicy.Slru(int hits) -> Keys.two(node -> nodes.hits(node) >= hits ? 1 : 0, nodes::lastAccess);
            case TreePolicy.Tlru(int threshold, int estimate) ->
                Keys.two(node -> isSafe(nodes, node, estimate - threshold) ? -1 : 0, nodes::lastAccess);
        };
    }

    /** Whether losing the node leaves the branch's next prompt within the bound. */
    private static boolean isSafe(Nodes nodes, int node, int reach) {
        return nodes.depth(node) - nodes.length(node) >= Math.max(nodes.branchDepth(node) + reach, 0);
    }
}
