package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * References of sessions to the paths they were last seen on. A session marks the end nodes of its paths; every node
 * from a marked one up to the session's next mark above (or the root) counts one reference for it. References postpone
 * eviction, they never prevent it.
 *
 * <p>A session that was released is closed: late registrations of it are ignored until it is opened again. The last
 * {@value #CLOSED_MAX} closed ids are remembered.
 */
final class Sessions {
    static final int CLOSED_MAX = 8_192;

    /** Open sessions without a mark that are remembered; of more the one opened longest ago counts as never opened. */
    static final int UNMARKED_MAX = 65_536;

    private final boolean enabled;
    private final Nodes nodes;
    private final LeafSets leaves;
    private final SessionMarks marks;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final LinkedHashMap<String, Long> generations = new LinkedHashMap<>();
    private final List<Integer> freeNumbers = new ArrayList<>();
    private final LinkedHashSet<String> closed = new LinkedHashSet<>();
    private long lastGeneration;
    private int usedNumbers;

    Sessions(boolean enabled, Nodes nodes, LeafSets leaves) {
        this.enabled = enabled;
        this.nodes = nodes;
        this.leaves = leaves;
        this.marks = new SessionMarks(nodes, enabled);
    }

    /** Opens the session, again if need be; answers its new generation. */
    long open(String session) {
        closed.remove(session);
        generations.remove(session);
        generations.put(session, ++lastGeneration);
        forgetEldest();
        return lastGeneration;
    }

    /** Clients that open sessions and neither use nor release them take no memory without a bound. */
    private void forgetEldest() {
        if (generations.size() <= UNMARKED_MAX + marks.size()) {
            return;
        }
        Map.Entry<String, Long> eldest = generations.pollFirstEntry();
        while (isMarking(eldest.getKey())) {
            generations.put(eldest.getKey(), eldest.getValue());
            eldest = generations.pollFirstEntry();
        }
        Integer number = numbers.remove(eldest.getKey());
        if (number != null) {
            freeNumbers.add(number);
        }
    }

    private boolean isMarking(String session) {
        Integer number = numbers.get(session);
        return number != null && marks.anyNode(number) != SessionMarks.NONE;
    }

    /** The generation of an open session; opens it when it is not. */
    long ensure(String session) {
        Long generation = generations.get(session);
        return generation == null ? open(session) : generation;
    }

    /** The session's path ends at the node from now on; ignored unless the generation is current. */
    void register(String session, long generation, int node) {
        Long current = generations.get(session);
        if (!enabled || node == Nodes.ROOT || current == null || current != generation) {
            return;
        }
        int number = numbers.computeIfAbsent(session, name -> newNumber());
        if (marks.contains(node, number)) {
            return;
        }
        int above = nodes.parent(node);
        while (above != Nodes.ROOT && !marks.contains(above, number)) {
            above = nodes.parent(above);
        }
        refer(node, above, 1);
        marks.add(node, number);
        if (above != Nodes.ROOT) {
            marks.remove(above, number);
        }
    }

    /** Closes the session and takes all its references back. */
    void release(String session) {
        if (!closed.add(session)) {
            return;
        }
        if (closed.size() > CLOSED_MAX) {
            closed.removeFirst();
        }
        generations.remove(session);
        Integer number = numbers.remove(session);
        if (number == null) {
            return;
        }
        for (int node = marks.anyNode(number); node != SessionMarks.NONE; node = marks.anyNode(number)) {
            refer(node, Nodes.ROOT, -1);
            marks.remove(node, number);
        }
        freeNumbers.add(number);
    }

    /** The node is about to be removed: its marks move to its parent. */
    void removed(int node) {
        if (!enabled) {
            return;
        }
        int parent = nodes.parent(node);
        for (int number = marks.anySession(node); number != SessionMarks.NONE; number = marks.anySession(node)) {
            boolean moves = parent != Nodes.ROOT && !marks.contains(parent, number);
            refer(node, moves ? parent : Nodes.ROOT, -1);
            marks.remove(node, number);
            if (moves) {
                marks.add(parent, number);
            }
        }
    }

    /** Marks of all sessions. */
    int marks() {
        return marks.size();
    }

    /** Whether some session marks the node. */
    boolean isMarked(int node) {
        return enabled && marks.anySession(node) != SessionMarks.NONE;
    }

    void clear() {
        marks.clear();
        numbers.clear();
        generations.clear();
        freeNumbers.clear();
        closed.clear();
        lastGeneration = 0;
        usedNumbers = 0;
    }

    /** Adds to the references from the node up to {@code end}, which is left out. */
    private void refer(int node, int end, int delta) {
        for (int at = node; at != end; at = nodes.parent(at)) {
            nodes.sessions(at, nodes.sessions(at) + delta);
            leaves.rekeyed(at);
        }
    }

    private int newNumber() {
        int number = freeNumbers.isEmpty() ? usedNumbers++ : freeNumbers.removeLast();
        marks.open(number);
        return number;
    }
}
