package io.tidemark.index.prefix.golden;

import io.tidemark.index.prefix.CacheEvent;
import io.tidemark.index.prefix.NodeInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Results in the form of a recording: numbers are {@code Long}, arrays are lists, an absent value is an empty
 * {@code Optional}.
 */
final class GoldenValues {
    private GoldenValues() {}

    static List<Object> tokens(int[] tokens) {
        return Arrays.stream(tokens).<Object>mapToObj(token -> (long) token).toList();
    }

    static List<Object> numbers(long... numbers) {
        return Arrays.stream(numbers).<Object>mapToObj(number -> number).toList();
    }

    /** Rows of a snapshot: indexes instead of ids, ranks instead of stamps. */
    static List<Object> tree(List<NodeInfo> nodes, boolean host) {
        Map<Integer, Long> rows = new HashMap<>();
        Map<Long, Long> accessRanks = ranks(nodes, NodeInfo::lastAccess);
        Map<Long, Long> creationRanks = ranks(nodes, NodeInfo::created);
        List<Object> tree = new ArrayList<>();
        for (NodeInfo node : nodes) {
            List<Object> row = new ArrayList<>();
            row.add(rows.getOrDefault(node.parent(), -1L));
            row.add((long) node.namespace());
            row.add(tokens(node.tokens()));
            row.addAll(numbers(node.locks(), node.hits(), node.priority(), node.sessions()));
            row.add(accessRanks.getOrDefault(node.lastAccess(), -1L));
            row.add(creationRanks.getOrDefault(node.created(), -1L));
            row.add(flag(node.deviceLeaf()));
            if (host) {
                row.addAll(numbers(
                        flag(node.onDevice()),
                        flag(node.onHost()),
                        node.hostLocks(),
                        flag(node.hostLeaf()),
                        flag(node.writing()),
                        flag(node.duplicate())));
            }
            rows.put(node.node(), (long) tree.size());
            tree.add(row);
        }
        return tree;
    }

    static Object event(CacheEvent event) {
        return switch (event) {
            case CacheEvent.BlockStored stored ->
                List.of(
                        "S",
                        List.copyOf(stored.blockHashes()),
                        stored.parentBlockHash().isEmpty()
                                ? Optional.empty()
                                : stored.parentBlockHash().getAsLong(),
                        stored.tokenIds().stream().map(Integer::toUnsignedLong).toList(),
                        (long) stored.blockSize(),
                        stored.medium().name(),
                        stored.cacheSalt().isEmpty()
                                ? Optional.empty()
                                : stored.cacheSalt().get(),
                        Optional.empty());
            case CacheEvent.BlockRemoved removed ->
                List.of(
                        "R",
                        List.copyOf(removed.blockHashes()),
                        removed.medium().name());
            case CacheEvent.AllBlocksCleared cleared -> List.of("C");
            case CacheEvent.Resync resync -> List.of("resync");
        };
    }

    private static Map<Long, Long> ranks(List<NodeInfo> nodes, ToLongFunction<NodeInfo> stamp) {
        long[] stamps = nodes.stream().mapToLong(stamp).sorted().distinct().toArray();
        Map<Long, Long> ranks = new HashMap<>();
        for (int i = 0; i < stamps.length; i++) {
            ranks.put(stamps[i], (long) i);
        }
        return ranks;
    }

    private static long flag(boolean value) {
        return value ? 1 : 0;
    }
}
