package io.tidemark.index.prefix;

import java.util.Comparator;

/** Which leaf of the naive tree goes first, as a comparator to sort all leaves by. */
final class NaiveOrder {
    private NaiveOrder() {}

    /** By the policy and sessions of the options. */
    static Comparator<NaiveTree.Node> of(TreeOptions options) {
        Comparator<NaiveTree.Node> recency = Comparator.comparingDouble(node -> node.lastAccess);
        Comparator<NaiveTree.Node> policy = switch (options.policy()) {
            case TreePolicy.Lru() -> recency;
            case TreePolicy.Mru() -> recency.reversed();
            case TreePolicy.Fifo() -> Comparator.comparingDouble(node -> node.created);
            case TreePolicy.Filo() -> Comparator.comparingDouble(node -> -node.created);
            case TreePolicy.Lfu() ->
                Comparator.<NaiveTree.Node>comparingInt(node -> node.hits).thenComparing(recency);
            case TreePolicy.Priority() ->
                Comparator.<NaiveTree.Node>comparingInt(node -> node.priority).thenComparing(recency);
            case TreePolicy.Slru(int hits) ->
                Comparator.<NaiveTree.Node, Boolean>comparing(node -> node.hits >= hits)
                        .thenComparing(recency);
            case TreePolicy.Gdsf() ->
                Comparator.<NaiveTree.Node>comparingLong(node -> node.worth).thenComparing(recency);
            case TreePolicy.Tide() -> throw new AssertionError("more than a sort by key");
            case TreePolicy.Tlru(int threshold, int estimate) ->
                Comparator.<NaiveTree.Node, Boolean>comparing(node ->
                                node.depth - node.units.size() < Math.max(node.branchDepth + estimate - threshold, 0))
                        .thenComparing(recency);
        };
        return options.sessions()
                ? Comparator.<NaiveTree.Node>comparingInt(node -> node.sessions).thenComparing(policy)
                : policy;
    }
}
