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

    /** Hits from which SLRU protects unless told otherwise: inserted, and inserted over once more. */
    int DEFAULT_PROTECTED_HITS = 2;

    /**
     * The policy of a name, with default arguments.
     *
     * @throws IllegalArgumentException for an unknown name
     */
    static TreePolicy named(String name) {
        return switch (name) {
            case "lru" -> new Lru();
            case "mru" -> new Mru();
            case "fifo" -> new Fifo();
            case "filo" -> new Filo();
            case "lfu" -> new Lfu();
            case "priority" -> new Priority();
            case "slru" -> new Slru(DEFAULT_PROTECTED_HITS);
            case "tlru" -> new Tlru(0, 0);
            default ->
                throw new IllegalArgumentException(
                        "unknown policy '" + name + "', known: fifo, filo, lfu, lru, mru, priority, slru, tlru");
        };
    }
}
