package io.tidemark.index.prefix;

/**
 * A number for the path that ends at a node: the same whenever the path comes back, whatever node it gets, and however
 * it is cut. Kept for policies that remember paths; of other trees every node answers 0.
 */
final class PathIdentities {
    private static final long SEED = 0x2545F4914F6CDD1DL;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final Nodes nodes;
    private final Slices tokens;
    private final boolean kept;
    private final LongColumn column = new LongColumn(1);

    PathIdentities(Nodes nodes, Slices tokens, TreePolicy policy) {
        this.nodes = nodes;
        this.tokens = tokens;
        this.kept = policy instanceof TreePolicy.Tide;
    }

    long of(int node) {
        return kept ? column.get(node, 0) : 0;
    }

    /** The node, which has its parent and its tokens, gets its number. */
    void number(int node) {
        if (!kept) {
            return;
        }
        int parent = nodes.parent(node);
        long number = parent == Nodes.ROOT ? SEED + nodes.namespace(node) : column.get(parent, 0);
        for (int unit = 0; unit < nodes.length(node); unit++) {
            number = (number ^ tokens.get(node, unit)) * FACTOR;
            number ^= number >>> 32;
        }
        column.open(node);
        column.set(node, 0, number);
    }
}
