package io.tidemark.index.replay;

import io.tidemark.index.policy.Keys;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The policies over leaves by name. */
final class TreePolicies {
    /** A 512-token block costs this much to compute at position 0, and one more with each block before it. */
    private static final int BASE_COST = 103;

    private interface Maker {
        TreePolicy make(Trace trace, BlockState state, int capacity);
    }

    private static final Map<String, Maker> BY_NAME = new TreeMap<>();

    static {
        BY_NAME.put("lru", (trace, state, capacity) -> KeyedPolicy.of(Keys.lru(state)));
        BY_NAME.put("fifo", (trace, state, capacity) -> KeyedPolicy.of(Keys.fifo(state)));
        BY_NAME.put("mru", (trace, state, capacity) -> KeyedPolicy.of(Keys.mru(state)));
        BY_NAME.put("filo", (trace, state, capacity) -> KeyedPolicy.of(Keys.filo(state)));
        BY_NAME.put("lfu", (trace, state, capacity) -> KeyedPolicy.of(Keys.lfu(state)));
        BY_NAME.put("slru", (trace, state, capacity) -> KeyedPolicy.of(Keys.slru(state, 1)));
        BY_NAME.put("slru2", (trace, state, capacity) -> KeyedPolicy.of(Keys.slru(state, 2)));
        BY_NAME.put("tlru8", (trace, state, capacity) -> lastBlocksFirst(state, 8));
        BY_NAME.put("tlru16", (trace, state, capacity) -> lastBlocksFirst(state, 16));
        BY_NAME.put("lfuda", (trace, state, capacity) -> new AgedPolicy(trace, state, block -> 1 + state.hits(block)));
        BY_NAME.put("gdsf", (trace, state, capacity) -> byCost(trace, state));
        BY_NAME.put("tide", (trace, state, capacity) -> new TidePolicy(trace, state));
        BY_NAME.put("tide:sized", (trace, state, capacity) -> new SizedTidePolicy(trace, state));
        BY_NAME.put("lru2g4", PenultimateUsePolicy::new);
        BY_NAME.put("lru+np", (trace, state, capacity) -> new IncompleteFirst(KeyedPolicy.of(Keys.lru(state)), state));
        BY_NAME.put("gdsf+np", (trace, state, capacity) -> new IncompleteFirst(byCost(trace, state), state));
    }

    private TreePolicies() {}

    static Iterable<String> names() {
        return BY_NAME.keySet();
    }

    static void requireKnown(String name) {
        if (!BY_NAME.containsKey(name)) {
            throw new IllegalArgumentException(
                    "unknown policy '" + name + "', known: " + String.join(", ", BY_NAME.keySet()));
        }
    }

    static TreePolicy make(String name, Trace trace, BlockState state, int capacity) {
        requireKnown(name);
        return Objects.requireNonNull(BY_NAME.get(name)).make(trace, state, capacity);
    }

    /** T-LRU: the last blocks of the latest request through a block go first, the rest only after all of them. */
    private static KeyedPolicy lastBlocksFirst(BlockState state, int blocks) {
        return KeyedPolicy.of(Keys.two(
                block -> state.depth(block) <= Math.max(0, state.requestLength(block) + 1 - blocks) ? 1 : 0,
                state::lastAccess));
    }

    private static KeyedPolicy byCost(Trace trace, BlockState state) {
        return new AgedPolicy(trace, state, block -> (1 + state.hits(block)) * (BASE_COST + state.depth(block)));
    }
}
