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
        TreePolicy make(Trace trace, BlockState state, Room room);
    }

    private static final Map<String, Maker> BY_NAME = new TreeMap<>();

    static {
        BY_NAME.put("lru", (trace, state, room) -> KeyedPolicy.of(Keys.lru(state)));
        BY_NAME.put("fifo", (trace, state, room) -> KeyedPolicy.of(Keys.fifo(state)));
        BY_NAME.put("mru", (trace, state, room) -> KeyedPolicy.of(Keys.mru(state)));
        BY_NAME.put("filo", (trace, state, room) -> KeyedPolicy.of(Keys.filo(state)));
        BY_NAME.put("lfu", (trace, state, room) -> KeyedPolicy.of(Keys.lfu(state)));
        BY_NAME.put("slru", (trace, state, room) -> KeyedPolicy.of(Keys.slru(state, 1)));
        BY_NAME.put("slru2", (trace, state, room) -> KeyedPolicy.of(Keys.slru(state, 2)));
        BY_NAME.put("tlru8", (trace, state, room) -> lastBlocksFirst(state, 8));
        BY_NAME.put("tlru16", (trace, state, room) -> lastBlocksFirst(state, 16));
        BY_NAME.put("lfuda", (trace, state, room) -> new AgedPolicy(trace, state, block -> 1 + state.hits(block)));
        BY_NAME.put("gdsf", (trace, state, room) -> byCost(trace, state, room.weights()));
        BY_NAME.put("tide", (trace, state, room) -> new TidePolicy(trace, state));
        BY_NAME.put("tide:sized", (trace, state, room) -> new SizedTidePolicy(trace, state));
        BY_NAME.put("lru2g4", (trace, state, room) -> new PenultimateUsePolicy(trace, state, room.blocks()));
        BY_NAME.put("lru+np", (trace, state, room) -> new IncompleteFirst(KeyedPolicy.of(Keys.lru(state)), state));
        BY_NAME.put(
                "gdsf+np", (trace, state, room) -> new IncompleteFirst(byCost(trace, state, room.weights()), state));
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

    static TreePolicy make(String name, Trace trace, BlockState state, Room room) {
        requireKnown(name);
        return Objects.requireNonNull(BY_NAME.get(name)).make(trace, state, room);
    }

    /** T-LRU: the last blocks of the latest request through a block go first, the rest only after all of them. */
    private static KeyedPolicy lastBlocksFirst(BlockState state, int blocks) {
        return KeyedPolicy.of(Keys.two(
                block -> state.depth(block) <= Math.max(0, state.requestLength(block) + 1 - blocks) ? 1 : 0,
                state::lastAccess));
    }

    /** What the uses of a block save, for its size: blocks of average size, or all where each is one, count as they are. */
    private static KeyedPolicy byCost(Trace trace, BlockState state, Weights weights) {
        return new AgedPolicy(trace, state, block -> {
            long saved = (1 + state.hits(block)) * (BASE_COST + state.depth(block));
            long weight = weights.of(block);
            return weight == weights.average() ? saved : Math.round((double) saved * weights.average() / weight);
        });
    }
}
