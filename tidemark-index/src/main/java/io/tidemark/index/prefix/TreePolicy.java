package io.tidemark.index.prefix;

/**
 * Which leaf goes first. Recency decides between equals in every policy but the two by creation.
 *
 * <p>Hits count inserts that went through a node, never matches.
 */
public sealed interface TreePolicy {
    /** Least recently used first. */
    record Lru() implements TreePolicy {}

    /** Most recently used first. */
    record Mru() implements TreePolicy {}

    /** Oldest first. */
    record Fifo() implements TreePolicy {}

    /** Newest first. */
    record Filo() implements TreePolicy {}

    /** Fewest hits first. */
    record Lfu() implements TreePolicy {}

    /** Lowest priority first. */
    record Priority() implements TreePolicy {}

    /**
     * Nodes on probation first.
     *
     * @param protectedHits hits from which a node is protected
     */
    record Slru(int protectedHits) implements TreePolicy {}

    /**
     * Nodes first that the tail-latency bound can spare: those that begin beyond the length that the next prompt of
     * their branch is expected to need within the bound.
     *
     * @param threshold tokens that may be computed again
     * @param nextPromptEstimate tokens by which a branch is expected to grow
     */
    record Tlru(int threshold, int nextPromptEstimate) implements TreePolicy {}

    /**
     * Lowest worth first: uses times what the node's units cost to compute anew, aged ({@link
     * io.tidemark.index.policy.AgedOrder}). Long paths cost more a unit than short ones.
     */
    record Gdsf() implements TreePolicy {}

    /**
     * Least likely to be used soon first, learned from what was used before ({@link
     * io.tidemark.index.policy.TideOrder}); for a tree that is small against what is asked of it. Matches count as uses.
     */
    record Tide() implements TreePolicy {}

    /** Whether the policy keeps a memory of its own beside a key: no other order gives the same victims. */
    default boolean remembers() {
        return this instanceof Gdsf || this instanceof Tide;
    }

    /** Hits from which SLRU protects unless told otherwise: inserted, and inserted over once more. */
    int DEFAULT_PROTECTED_HITS = 2;

    /**
     * The policy of a name, with default arguments. {@code lru+np} is {@code lru}: a tree holds whole pages only, so that
     * there are no incomplete tails to go first.
     *
     * @throws IllegalArgumentException for an unknown name
     */
    static TreePolicy named(String name) {
        return switch (name) {
            case "lru", "lru+np" -> new Lru();
            case "mru" -> new Mru();
            case "fifo" -> new Fifo();
            case "filo" -> new Filo();
            case "lfu" -> new Lfu();
            case "priority" -> new Priority();
            case "slru" -> new Slru(DEFAULT_PROTECTED_HITS);
            case "tlru" -> new Tlru(0, 0);
            case "gdsf" -> new Gdsf();
            case "tide" -> new Tide();
            default ->
                throw new IllegalArgumentException("unknown policy '" + name
                        + "', known: fifo, filo, gdsf, lfu, lru, lru+np, mru, priority," + " slru, tide, tlru");
        };
    }
}
