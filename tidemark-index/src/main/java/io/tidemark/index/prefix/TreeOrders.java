package io.tidemark.index.prefix;

import io.tidemark.index.policy.AgedOrder;
import io.tidemark.index.policy.KeyFunction;
import io.tidemark.index.policy.Keys;
import io.tidemark.index.policy.LazyHeap;
import io.tidemark.index.policy.RebuiltHeap;
import io.tidemark.index.policy.TideOrder;
import io.tidemark.index.policy.UseHearing;
import io.tidemark.index.policy.VictimOrder;
import java.util.function.Supplier;

/**
 * The two orders of a tree.
 *
 * @param device over device leaves
 * @param host over host leaves
 * @param uses what must hear of uses of nodes that are no leaves
 */
record TreeOrders(VictimOrder device, VictimOrder host, UseLog uses) {
    /** The orders that the options ask for, over the facts in the store. */
    static TreeOrders of(TreeOptions options, Nodes nodes, PathIdentities identities) {
        return switch (options.policy()) {
            case TreePolicy.Gdsf() -> remembering(() -> new AgedOrder(new TreeFacts(nodes, identities)));
            case TreePolicy.Tide() -> remembering(() -> TideOrder.of(new TreeFacts(nodes, identities), nodes::size));
            default -> keyed(options, nodes);
        };
    }

    private static TreeOrders remembering(Supplier<UseHearing> orders) {
        UseHearing device = orders.get();
        UseHearing host = orders.get();
        return new TreeOrders(device, host, new BothHear(device, host));
    }

    /** Tells the orders of both tiers of every use: a node may come into either. */
    private record BothHear(UseHearing device, UseHearing host) implements UseLog {
        @Override
        public void used(int node) {
            device.used(node);
            host.used(node);
        }

        /** Nothing to do: it is remembered. */
        @Override
        public void forget(int node) {}
    }

    private static TreeOrders keyed(TreeOptions options, Nodes nodes) {
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
            case TreePolicy.Gdsf(), TreePolicy.Tide() ->
                throw new IllegalArgumentException("the policy " + policy + " is more than a key");
        };
    }

    /** Whether losing the node leaves the branch's next prompt within the bound. */
    private static boolean isSafe(Nodes nodes, int node, int reach) {
        return nodes.depth(node) - nodes.length(node) >= Math.max(nodes.branchDepth(node) + reach, 0);
    }
}
