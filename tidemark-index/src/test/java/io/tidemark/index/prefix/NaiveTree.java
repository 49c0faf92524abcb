package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The device tier written a second time, as plainly as possible: objects, lists of units, and a full sort of all leaves
 * for every victim. A unit is a list of one token or two.
 */
final class NaiveTree {
    /** A node of the naive tree. */
    static final class Node {
        final Map<List<Object>, Node> children = new HashMap<>();
        final Set<String> marks = new HashSet<>();
        Node parent = this;
        int namespace;
        List<List<Integer>> units = List.of();
        List<Integer> slots = List.of();
        int locks;
        int hits;
        int priority;
        int sessions;
        double lastAccess;
        double created;
        int depth;
        int branchDepth;
    }

    private final TreeOptions options;
    private final Map<String, Long> generations = new HashMap<>();
    private final Set<String> closed = new HashSet<>();
    private final Map<String, Set<Node>> frontiers = new TreeMap<>();
    private Node root = new Node();
    private double clock = 1;
    private long lastGeneration;
    /** Slots that calls gave back, in order. */
    final List<Integer> freed = new ArrayList<>();

    NaiveTree(TreeOptions options) {
        this.options = options;
    }

    void reset() {
        root = new Node();
        generations.clear();
        closed.clear();
        frontiers.clear();
        lastGeneration = 0;
    }

    Node root() {
        return root;
    }

    List<List<Integer>> units(int[] tokens) {
        int width = options.bigram() ? 2 : 1;
        List<List<Integer>> units = new ArrayList<>();
        for (int i = 0; i + width <= tokens.length; i++) {
            units.add(Arrays.stream(tokens, i, i + width).boxed().toList());
        }
        return units.subList(0, units.size() / options.pageSize() * options.pageSize());
    }

    Node match(int namespace, int[] tokens) {
        List<List<Integer>> units = units(tokens);
        Node node = root;
        int at = 0;
        while (at < units.size()) {
            Node child = node.children.get(page(namespace, units, at));
            if (child == null) {
                break;
            }
            int common = common(child, units, at);
            node = common < child.units.size() ? split(child, common) : child;
            at += common;
            if (child != node) {
                break;
            }
        }
        if (!units.isEmpty()) {
            double now = tick();
            for (Node up = node; up != root; up = up.parent) {
                up.lastAccess = now;
                now -= 1e-5;
            }
        }
        return node;
    }

    /** Answers the end node; the matched length and the duplicates are told by {@link #freed} and the caller's sums. */
    Node insert(int namespace, int[] tokens, int[] slots, int priority, int protectedLength, int countedLength) {
        List<List<Integer>> units = units(tokens);
        tick();
        Node node = root;
        int at = 0;
        while (at < units.size()) {
            Node child = node.children.get(page(namespace, units, at));
            if (child == null) {
                break;
            }
            child.lastAccess = tick();
            int common = common(child, units, at);
            node = common < child.units.size() ? split(child, common) : child;
            node.priority = Math.max(node.priority, priority);
            for (int i = Math.max(at, protectedLength); i < at + common; i++) {
                freed.add(slots[i]);
            }
            at += common;
            node.hits += at > countedLength ? 1 : 0;
        }
        return at < units.size() ? leaf(node, namespace, units, at, slots, priority, countedLength) : node;
    }

    private Node leaf(
            Node parent,
            int namespace,
            List<List<Integer>> units,
            int at,
            int[] slots,
            int priority,
            int countedLength) {
        Node leaf = new Node();
        leaf.parent = parent;
        leaf.namespace = namespace;
        leaf.units = List.copyOf(units.subList(at, units.size()));
        leaf.slots = Arrays.stream(slots, at, units.size()).boxed().toList();
        leaf.priority = priority;
        leaf.lastAccess = tick();
        leaf.created = tick();
        leaf.depth = parent.depth + leaf.units.size();
        leaf.branchDepth = leaf.depth;
        leaf.hits = units.size() > countedLength ? 1 : 0;
        for (Node up = parent; up.branchDepth < leaf.depth; up = up.parent) {
            up.branchDepth = leaf.depth;
        }
        parent.children.put(page(namespace, leaf.units, 0), leaf);
        return leaf;
    }

    void lock(Node node, int delta) {
        for (Node up = node; up != root; up = up.parent) {
            up.locks += delta;
        }
    }

    /** Answers the victims in order. */
    List<Node> evict(long wanted) {
        List<Node> victims = new ArrayList<>();
        long freedUnits = 0;
        while (freedUnits < wanted) {
            List<Node> leaves = new ArrayList<>(nodes());
            leaves.removeIf(node -> node.locks > 0 || !node.children.isEmpty());
            if (leaves.isEmpty()) {
                break;
            }
            leaves.sort(order());
            Node victim = leaves.getFirst();
            victims.add(victim);
            freedUnits += victim.units.size();
            freed.addAll(victim.slots);
            for (String session : List.copyOf(victim.marks)) {
                move(session, victim);
            }
            victim.parent.children.remove(page(victim.namespace, victim.units, 0));
        }
        return victims;
    }

    long open(String session) {
        closed.remove(session);
        generations.put(session, ++lastGeneration);
        return lastGeneration;
    }

    long ensure(String session) {
        Long generation = generations.get(session);
        return generation == null ? open(session) : generation;
    }

    void register(String session, long generation, Node node) {
        if (!options.sessions() || node == root || !Long.valueOf(generation).equals(generations.get(session))) {
            return;
        }
        Set<Node> frontier = frontiers.computeIfAbsent(session, name -> new HashSet<>());
        if (frontier.contains(node)) {
            return;
        }
        Node above = node.parent;
        while (above != root && !frontier.contains(above)) {
            above = above.parent;
        }
        refer(node, above, 1);
        mark(session, node, true);
        if (above != root) {
            mark(session, above, false);
        }
    }

    void release(String session) {
        if (!closed.add(session)) {
            return;
        }
        generations.remove(session);
        for (Node node : List.copyOf(frontiers.getOrDefault(session, Set.of()))) {
            refer(node, root, -1);
            mark(session, node, false);
        }
        frontiers.remove(session);
    }

    /** All nodes but the root. */
    List<Node> nodes() {
        List<Node> nodes = new ArrayList<>(root.children.values());
        for (int i = 0; i < nodes.size(); i++) {
            nodes.addAll(nodes.get(i).children.values());
        }
        return nodes;
    }

    /** Tokens from the root to the node's end. */
    int[] path(Node node) {
        List<Integer> tokens = new ArrayList<>();
        for (Node up = node; up != root; up = up.parent) {
            tokens.addAll(0, up.units.stream().map(List::getFirst).toList());
        }
        if (options.bigram() && !tokens.isEmpty()) {
            tokens.add(node.units.getLast().getLast());
        }
        return tokens.stream().mapToInt(Integer::intValue).toArray();
    }

    private void move(String session, Node node) {
        boolean moves = node.parent != root && !node.parent.marks.contains(session);
        refer(node, moves ? node.parent : root, -1);
        mark(session, node, false);
        if (moves) {
            mark(session, node.parent, true);
        }
    }

    private void mark(String session, Node node, boolean marked) {
        Set<Node> frontier = frontiers.computeIfAbsent(session, name -> new HashSet<>());
        if (marked) {
            frontier.add(node);
            node.marks.add(session);
        } else {
            frontier.remove(node);
            node.marks.remove(session);
        }
    }

    private void refer(Node node, Node end, int delta) {
        for (Node up = node; up != end; up = up.parent) {
            up.sessions += delta;
        }
    }

    private Node split(Node suffix, int at) {
        Node prefix = new Node();
        prefix.parent = suffix.parent;
        prefix.namespace = suffix.namespace;
        prefix.lastAccess = tick();
        prefix.created = suffix.created;
        prefix.locks = suffix.locks;
        prefix.hits = suffix.hits;
        prefix.priority = suffix.priority;
        prefix.sessions = suffix.sessions;
        prefix.depth = prefix.parent.depth + at;
        prefix.branchDepth = suffix.branchDepth;
        prefix.parent.children.put(page(suffix.namespace, suffix.units, 0), prefix);
        prefix.units = List.copyOf(suffix.units.subList(0, at));
        prefix.slots = List.copyOf(suffix.slots.subList(0, at));
        suffix.units = List.copyOf(suffix.units.subList(at, suffix.units.size()));
        suffix.slots = List.copyOf(suffix.slots.subList(at, suffix.slots.size()));
        prefix.children.put(page(suffix.namespace, suffix.units, 0), suffix);
        suffix.parent = prefix;
        suffix.lastAccess = tick();
        return prefix;
    }

    private List<Object> page(int namespace, List<List<Integer>> units, int at) {
        return List.of(namespace, List.copyOf(units.subList(at, at + options.pageSize())));
    }

    private int common(Node node, List<List<Integer>> units, int at) {
        int common = 0;
        while (common < node.units.size()
                && at + common < units.size()
                && node.units.get(common).equals(units.get(at + common))) {
            common++;
        }
        return common / options.pageSize() * options.pageSize();
    }

    private double tick() {
        return clock++;
    }

    private Comparator<Node> order() {
        Comparator<Node> recency = Comparator.comparingDouble(node -> node.lastAccess);
        Comparator<Node> policy = switch (options.policy()) {
            case TreePolicy.Lru() -> recency;
            case TreePolicy.Mru() -> recency.reversed();
            case TreePolicy.Fifo() -> Comparator.comparingDouble(node -> node.created);
            case TreePolicy.Filo() -> Comparator.comparingDouble(node -> -node.created);
            case TreePolicy.Lfu() ->
                Comparator.<Node>comparingInt(node -> node.hits).thenComparing(recency);
            case TreePolicy.Priority() ->
                Comparator.<Node>comparingInt(node -> node.priority).thenComparing(recency);
            case TreePolicy.Slru(int hits) ->
                Comparator.<Node, Boolean>comparing(node -> node.hits >= hits).thenComparing(recency);
            case TreePolicy.Tlru(int threshold, int estimate) ->
                Comparator.<Node, Boolean>comparing(node ->
                                node.depth - node.units.size() < Math.max(node.branchDepth + estimate - threshold, 0))
                        .thenComparing(recency);
        };
        return options.sessions()
                ? Comparator.<Node>comparingInt(node -> node.sessions).thenComparing(policy)
                : policy;
    }
}
