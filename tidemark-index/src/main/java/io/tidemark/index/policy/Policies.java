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

    private static final Map<String, Function<NodeFacts, VictimOrder>> BY_NAME = new TreeMap<>(Map.ofEntries(
            Map.entry("lru", facts -> new RecencyList(RecencyRule.LRU)),
            Map.entry("lru+np", facts -> new RecencyList(RecencyRule.LRU, facts::incompleteTail)),
            Map.entry("fifo", facts -> byCreation(facts, RecencyRule.FIFO, Keys.fifo(facts))),
            Map.entry("mru", facts -> new RecencyList(RecencyRule.MRU)),
            Map.entry("filo", facts -> byCreation(facts, RecencyRule.FILO, Keys.filo(facts))),
            Map.entry("lfu", facts -> new LazyHeap(Keys.lfu(facts))),
            Map.entry("priority", facts -> new LazyHeap(Keys.priority(facts))),
            Map.entry("slru", facts -> new LazyHeap(Keys.slru(facts, SLRU_PROTECTED_FROM_HITS))),
            Map.entry("gdsf", AgedOrder::new),
            Map.entry("tide", TideOrder::ofMembers)));

    private Policies() {}

    /** Joining is creation, unless nodes join again. */
    private static VictimOrder byCreation(NodeFacts facts, RecencyRule rule, KeyFunction key) {
        return facts.joinsAgain() ? new LazyHeap(key) : new RecencyList(rule);
    }

    /** Whether the policy knows blocks again by {@link NodeFacts#identity}, so that the owner has to keep it. */
    public static boolean asksForIdentity(String name) {
        return name.equals("tide");
    }

    /** Whether the policy asks for the tick of the creation of nodes that join again. */
    public static boolean asksForCreation(String name) {
        return name.equals("fifo") || name.equals("filo");
    }

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
