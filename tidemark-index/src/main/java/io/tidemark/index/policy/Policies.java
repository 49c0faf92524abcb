package io.tidemark.index.policy;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The policies by name, as they stand in a configuration. */
public final class Policies {
    /** What a backend uses unless told otherwise. */
    public static final String DEFAULT = "lru+np";

    /** Hits from which a node is protected under {@code slru}; a node that was inserted and never used again has 1. */
    private static final long SLRU_PROTECTED_FROM_HITS = 2;

    /** Two links. */
    private static final int LIST_BYTES = 2 * Integer.BYTES;

    /** Entry and place of a node in a heap, and its flags; the parts of the key come on top. */
    private static final int HEAP_BYTES = 2 * Integer.BYTES + 1;

    /** Lists, shadow, identity, and a ghost for each node. */
    private static final int TIDE_BYTES = 24 + 32 + Long.BYTES + 16;

    /** Beginnings of names that the simulator has and a store has not. */
    private static final Set<String> SIMULATED =
            Set.of("flat:", "gdsf+", "infinite", "lfuda", "lru2", "opt", "slru2", "tide:");

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

    /**
     * Heap that an order of this policy takes for each node, in bytes, with what its owner keeps for it alone; a pessimist's
     * estimate. {@code tide} remembers nodes that are gone as well.
     */
    public static int bytesPerNode(String name) {
        return switch (name) {
            case "lru", "lru+np", "mru" -> LIST_BYTES;
            case "fifo", "filo" -> HEAP_BYTES + Long.BYTES + Long.BYTES; // a key, the tick of the creation
            case "lfu", "priority", "slru" -> HEAP_BYTES + 2 * Long.BYTES;
            case "gdsf" -> HEAP_BYTES + 4 * Long.BYTES; // two keys, the worth, and when it was set
            case "tide" -> TIDE_BYTES;
            default -> throw unknown(name);
        };
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

    /** Why a policy that others know is none of these; empty for a name that nobody knows. */
    public static Optional<String> whyNot(String name) {
        if (name.startsWith("tlru")) {
            return Optional.of(
                    "goes by the length of the latest request through a block, which only a prefix tree knows");
        }
        return SIMULATED.stream().anyMatch(name::startsWith)
                ? Optional.of("is known to the simulator only")
                : Optional.empty();
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
            throw unknown(name);
        }
        return policy.apply(facts);
    }

    private static IllegalArgumentException unknown(String name) {
        String why = whyNot(name).map(reason -> " " + reason).orElse(" is unknown");
        return new IllegalArgumentException(
                "eviction policy '" + name + "'" + why + ", known: " + String.join(", ", BY_NAME.keySet()));
    }
}
