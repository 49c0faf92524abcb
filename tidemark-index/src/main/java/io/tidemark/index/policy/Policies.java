package io.tidemark.index.policy;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The policies by name, as they stand in a configuration. */
public final class Policies {
    /** What a backend uses unless told otherwise. */
    public static final String DEFAULT = "lru+np";

    /** Hits from which a node is protected under {@code slru}; a node that was inserted and never used again has 1. */
    private static final long SLRU_PROTECTED_FROM_HITS = 2;

    private static final Map<String, Function<NodeFacts, VictimOrder>> BY_NAME = new TreeMap<>(Map.of(
            "lru", facts -> new RecencyList(RecencyRule.LRU),
            "lru+np", facts -> new RecencyList(RecencyRule.LRU, facts::incompleteTail),
            "fifo", facts -> new RecencyList(RecencyRule.FIFO),
            "mru", facts -> new RecencyList(RecencyRule.MRU),
            "filo", facts -> new RecencyList(RecencyRule.FILO),
            "lfu", facts -> new LazyHeap(Keys.lfu(facts)),
            "priority", facts -> new LazyHeap(Keys.priority(facts)),
            "slru", facts -> new LazyHeap(Keys.slru(facts, SLRU_PROTECTED_FROM_HITS))));

    private Policies() {}

    /** The known names, in alphabetical order. */
    public static Set<String> names() {
        return Collections.unmodifiableSet(BY_NAME.keySet());
    }

    /**
     * An empty order of the named policy.
     *
     * @param facts answers for the owner; kept
     * @throws IllegalArgumentException naming the known policies when this is none of them
     */
    public static VictimOrder order(String name, NodeFacts facts) {
        Function<NodeFacts, VictimOrder> policy = BY_NAME.get(name);
        if (policy == null) {
            throw new IllegalArgumentException(
                    "unknown eviction policy '" + name + "', known: " + String.join(", ", BY_NAME.keySet()));
        }
        return policy.apply(facts);
    }
}
