package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.Arrays;
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
        /** Empty for a tombstone. */
        List<Integer> window = List.of();

        int windowLocks;
        int state = Insertion.NO_STATE;
        int stateLocks;
        /** Under gdsf, as of the last use. */
        long worth;

        int locks;
        int hits;
        int priority;
        int sessions;
        double lastAccess;
        double created;
        int depth;
        int branchDepth;
    }

    /**
     * What a request inserts.
     *
     * @param slots one a unit
     * @param windowSlots one a unit, of which those before {@code windowStart} do not count
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Request(
            int[] slots,
            int[] windowSlots,
            int windowStart,
            int state,
            int priority,
            int protectedLength,
            int countedLength) {}

    /** A lock, with the unit of its path from which on it keeps window values. */
    record Lock(Node node, int from, boolean released) {}

    private final TreeOptions options;
    private final int window;
    private final Map<String, Long> generations = new HashMap<>();
    private final Set<String> closed = new HashSet<>();
    private final Map<String, Set<Node>> frontiers = new TreeMap<>();
    private Node root = new Node();
    private double clock = 1;
    private long lastGeneration;
    private long age;
    /** Slots that calls gave back, in order. */
    final List<Integer> freed = new ArrayList<>();
    /** The same of the window's slots. */
    final List<Integer> freedWindow = new ArrayList<>();
    /** The same of states. */
    final List<Integer> freedStates = new ArrayList<>();
    /** Nodes with window values, oldest first. */
    final List<Node> windowOrder = new ArrayList<>();
    /** Nodes with states, oldest first. */
    final List<Node> stateOrder = new ArrayList<>();

    NaiveTree(TreeOptions options) {
        this.options = options;
        this.window = options.components().window();
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
        Node best = root;
        int at = 0;
        while (at < units.size()) {
            Node child = node.children.get(page(namespace, units, at));
            if (child == null) {
                break;
            }
            int common = common(child, units, at);
            node = common < child.units.size() ? split(child, common) : child;
            at += common;
            best = mayEndAt(node) ? node : best;
            if (child != node) {
                break;
            }
        }
        if (!units.isEmpty()) {
            refreshWindow(best);
            if (best.state != Insertion.NO_STATE) {
                newest(stateOrder, best);
            }
            double now = tick();
            for (Node up = best; up != root; up = up.parent) {
                up.lastAccess = now;
                value(up);
                now -= 1e-5;
            }
        }
        return best;
    }

    /** Whether the window before the node's end is whole, and the state at its end there. */
    private boolean mayEndAt(Node node) {
        int whole = 0;
        Node up = node;
        for (; window > 0 && up != root && !up.window.isEmpty(); up = up.parent) {
            whole += up.units.size();
        }
        boolean windowIsWhole = window == 0 || up == root || whole >= window;
        return windowIsWhole && (!options.components().states() || node.state != Insertion.NO_STATE);
    }

    private void refreshWindow(Node end) {
        List<Node> used = new ArrayList<>();
        int reached = 0;
        for (Node up = end; up != root && reached < window + options.pageSize(); up = up.parent) {
            if (!up.window.isEmpty()) {
                used.addFirst(up);
            }
            reached += up.units.size();
        }
        windowOrder.removeAll(used);
        windowOrder.addAll(used);
    }

    private void value(Node node) {
        node.worth = age + (1 + node.hits) * (103L * 512 + node.depth);
    }

    private static void newest(List<Node> order, Node node) {
        order.remove(node);
        order.add(node);
    }

    /** Answers the end node; the matched length and the duplicates are told by {@link #freed} and the caller's sums. */
    Node insert(int namespace, int[] tokens, Request request) {
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
            node.priority = Math.max(node.priority, request.priority());
            int taken = recover(node, at, at + common, request);
            for (int i = Math.max(at, request.protectedLength()); i < taken; i++) {
                freed.add(request.slots()[i]);
                if (window > 0 && i >= request.windowStart()) {
                    freedWindow.add(request.windowSlots()[i]);
                }
            }
            at += common;
            node.hits += at > request.countedLength() ? 1 : 0;
        }
        boolean isNew = at < units.size();
        if (isNew) {
            node = leaf(node, namespace, units, at, request);
        }
        if (node != root) {
            refreshWindow(node);
            putState(node, isNew, request);
        }
        for (Node up = node; up != root; up = up.parent) {
            value(up);
        }
        return node;
    }

    /** A tombstone takes the request's values from where it has some; answers the first unit that it took. */
    private int recover(Node node, int from, int to, Request request) {
        int first = Math.max(from, request.windowStart());
        if (window == 0 || !node.window.isEmpty() || first >= to || request.protectedLength() >= to) {
            return to;
        }
        if (first > from) {
            split(node, first - from);
        }
        List<Integer> brought = list(request.slots(), first, to);
        if (node.locks > 0) {
            freed.addAll(brought);
        } else {
            freed.addAll(node.slots);
            node.slots = brought;
        }
        node.window = list(request.windowSlots(), first, to);
        newest(windowOrder, node);
        return first;
    }

    private void putState(Node node, boolean isNew, Request request) {
        if (!options.components().states() || request.state() == Insertion.NO_STATE) {
            return;
        }
        node.lastAccess = isNew ? node.lastAccess : tick();
        node.state = node.state == Insertion.NO_STATE ? request.state() : node.state;
        newest(stateOrder, node);
    }

    private static List<Integer> list(int[] values, int from, int to) {
        return Arrays.stream(values, from, to).boxed().toList();
    }

    private Node leaf(Node parent, int namespace, List<List<Integer>> units, int at, Request request) {
        Node leaf = new Node();
        leaf.parent = parent;
        leaf.namespace = namespace;
        leaf.units = List.copyOf(units.subList(at, units.size()));
        leaf.slots = list(request.slots(), at, units.size());
        leaf.priority = request.priority();
        leaf.lastAccess = tick();
        leaf.created = tick();
        leaf.depth = parent.depth + leaf.units.size();
        leaf.branchDepth = leaf.depth;
        for (Node up = parent; up.branchDepth < leaf.depth; up = up.parent) {
            up.branchDepth = leaf.depth;
        }
        parent.children.put(page(namespace, leaf.units, 0), leaf);
        giveWindow(leaf, at, units.size(), request);
        leaf.hits = at + leaf.units.size() > request.countedLength() ? 1 : 0;
        return leaf;
    }

    /** A new leaf has window values as far as the request; its end is cut to a window in whole pages. */
    private void giveWindow(Node leaf, int from, int to, Request request) {
        int first = Math.max(from, request.windowStart());
        if (window == 0 || first >= to) {
            return;
        }
        if (first > from) {
            split(leaf, first - from);
        }
        int pages = (window + options.pageSize() - 1) / options.pageSize();
        int cut = to - first - pages * options.pageSize();
        if (cut > 0) {
            Node older = split(leaf, cut);
            older.window = list(request.windowSlots(), first, first + cut);
            newest(windowOrder, older);
        }
        leaf.window = list(request.windowSlots(), first + Math.max(0, cut), to);
        newest(windowOrder, leaf);
    }

    Lock lock(Node node) {
        int from = node.depth;
        for (Node up = node; up != root; up = up.parent) {
            up.locks++;
            if (node.depth - from < window) {
                up.windowLocks++;
                from = up.depth - up.units.size();
            }
        }
        node.stateLocks++;
        return new Lock(node, from, false);
    }

    /** Takes window and state of a lock back, once. */
    Lock release(Lock lock) {
        for (Node up = lock.node(); !lock.released() && up != root; up = up.parent) {
            up.windowLocks -= up.depth > lock.from() ? 1 : 0;
        }
        lock.node().stateLocks -= lock.released() ? 0 : 1;
        return new Lock(lock.node(), lock.from(), true);
    }

    void unlock(Lock lock) {
        release(lock);
        for (Node up = lock.node(); up != root; up = up.parent) {
            up.locks--;
        }
    }

    /** Takes window values of the oldest nodes, or whole leaves; answers what went, by path. */
    List<String> evictWindow(long wanted) {
        List<String> gone = new ArrayList<>();
        int before = freedWindow.size();
        for (Node node : List.copyOf(windowOrder)) {
            if (freedWindow.size() - before >= wanted) {
                break;
            }
            if (takeIfLeaf(node, gone)) {
                continue;
            }
            if (!node.window.isEmpty() && node.windowLocks == 0) {
                gone.add("tombstone " + describe(node));
                dropWindow(node);
                dropState(node);
            }
        }
        return gone;
    }

    /** Takes the states of the oldest nodes, or whole leaves; answers what went, by path. */
    List<String> evictStates(long wanted) {
        List<String> gone = new ArrayList<>();
        int before = freedStates.size();
        for (Node node : List.copyOf(stateOrder)) {
            if (freedStates.size() - before >= wanted) {
                break;
            }
            if (takeIfLeaf(node, gone)) {
                continue;
            }
            if (node.state != Insertion.NO_STATE && node.stateLocks == 0) {
                gone.add("tombstone " + describe(node));
                dropState(node);
            }
        }
        return gone;
    }

    private boolean takeIfLeaf(Node node, List<String> gone) {
        boolean holdsSome = !node.window.isEmpty() || node.state != Insertion.NO_STATE;
        if (!holdsSome || !isLeaf(node)) {
            return false;
        }
        takeLeaf(node).forEach(victim -> gone.add(describe(victim)));
        return true;
    }

    private boolean isLeaf(Node node) {
        return node.locks == 0 && node.children.isEmpty();
    }

    private void dropWindow(Node node) {
        freedWindow.addAll(node.window);
        node.window = List.of();
        windowOrder.remove(node);
    }

    private void dropState(Node node) {
        if (node.state != Insertion.NO_STATE) {
            freedStates.add(node.state);
            node.state = Insertion.NO_STATE;
            stateOrder.remove(node);
        }
    }

    /** Removes the leaf, and if asked to the tombstones that become leaves by that; answers them in order. */
    private List<Node> takeLeaf(Node leaf) {
        List<Node> gone = new ArrayList<>();
        Node next = leaf;
        do {
            gone.add(next);
            freed.addAll(next.slots);
            for (String session : List.copyOf(next.marks)) {
                move(session, next);
            }
            dropWindow(next);
            dropState(next);
            next.parent.children.remove(page(next.namespace, next.units, 0));
            next = next.parent;
        } while (options.components().takesRevealed()
                && next != root
                && isLeaf(next)
                && next.window.isEmpty()
                && next.state == Insertion.NO_STATE);
        return gone;
    }

    String describe(Node node) {
        return node.namespace + Arrays.toString(path(node));
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
            leaves.sort(NaiveOrder.of(options));
            age = Math.max(age, leaves.getFirst().worth);
            List<Node> gone = takeLeaf(leaves.getFirst());
            victims.addAll(gone);
            freedUnits += gone.stream().mapToInt(node -> node.units.size()).sum();
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

    int lockedWindowUnits() {
        return windowOrder.stream()
                .filter(node -> node.windowLocks > 0)
                .mapToInt(node -> node.units.size())
                .sum();
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
        splitWindow(prefix, suffix, at);
        prefix.units = List.copyOf(suffix.units.subList(0, at));
        prefix.slots = List.copyOf(suffix.slots.subList(0, at));
        suffix.units = List.copyOf(suffix.units.subList(at, suffix.units.size()));
        suffix.slots = List.copyOf(suffix.slots.subList(at, suffix.slots.size()));
        prefix.children.put(page(suffix.namespace, suffix.units, 0), suffix);
        suffix.parent = prefix;
        suffix.lastAccess = tick();
        value(suffix);
        value(prefix);
        return prefix;
    }

    private void splitWindow(Node prefix, Node suffix, int at) {
        prefix.windowLocks = suffix.windowLocks;
        if (!suffix.window.isEmpty()) {
            prefix.window = List.copyOf(suffix.window.subList(0, at));
            suffix.window = List.copyOf(suffix.window.subList(at, suffix.window.size()));
            windowOrder.add(windowOrder.indexOf(suffix), prefix);
        }
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
}
