package io.tidemark.index.replay;

import io.tidemark.index.policy.LazyHeap;
import io.tidemark.index.policy.RecencyList;
import io.tidemark.index.policy.RecencyRule;
import java.util.ArrayList;
import java.util.List;

/** Every cache that the simulator knows, by the name of its policy. */
final class CacheCatalog {
    private static final List<String> OTHERS =
            List.of("flat:belady", "flat:fifo", "flat:fifo-rev", "flat:lru", "flat:lru-rev", "infinite", "opt");

    private CacheCatalog() {}

    static List<String> names() {
        List<String> names = new ArrayList<>(OTHERS);
        TreePolicies.names().forEach(names::add);
        names.sort(null);
        return names;
    }

    /** Whether the policy is an optimum, which it is for blocks of one size only. */
    static boolean isOptimum(String name) {
        return name.equals("opt") || name.equals("flat:belady");
    }

    static void requireKnown(String name) {
        if (!names().contains(name)) {
            throw new IllegalArgumentException("unknown policy '" + name + "', known: " + String.join(", ", names()));
        }
    }

    static SimulatedCache make(String name, Trace trace, Room room) {
        return switch (name) {
            case "infinite" -> new InfiniteCache(trace);
            case "opt" -> new OfflineOptimum(trace, room);
            case "tide" -> new TideCache(trace, room);
            case "flat:lru" -> flat(trace, room, RecencyRule.LRU, false);
            case "flat:lru-rev" -> flat(trace, room, RecencyRule.LRU, true);
            case "flat:fifo" -> flat(trace, room, RecencyRule.FIFO, false);
            case "flat:fifo-rev" -> flat(trace, room, RecencyRule.FIFO, true);
            case "flat:belady" -> belady(trace, room);
            default -> {
                BlockState state = new BlockState(trace);
                yield new TreeCache(trace, room, state, TreePolicies.make(name, trace, state, room));
            }
        };
    }

    private static SimulatedCache flat(Trace trace, Room room, RecencyRule rule, boolean leafFirst) {
        return new FlatCache(trace, room, new RecencyList(rule), leafFirst, position -> {});
    }

    private static SimulatedCache belady(Trace trace, Room room) {
        NextUse nextUse = new NextUse(trace);
        return new FlatCache(trace, room, new LazyHeap(nextUse.farthestFirst()), false, nextUse::passed);
    }
}
