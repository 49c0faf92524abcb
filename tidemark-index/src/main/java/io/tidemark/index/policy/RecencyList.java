package io.tidemark.index.policy;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The LRU-like orders, every operation O(1): one doubly linked list, from the next victim to the last, in pages that are
 * indexed by node. No call copies more than one page.
 *
 * <p>Three markers divide the list. Nodes that always go first (incomplete tails under {@code lru+np}) stand before
 * {@code GATE}, all others between {@code GATE} and {@code WAITING}; nodes that join during a walk wait behind
 * {@code WAITING}, which the walk does not pass:
 *
 * <pre>  END  firsts...  GATE  others...  WAITING  joined during this walk...  (END)</pre>
 *
 * <p>A walk moves a cursor and unlinks nothing, hence a declined victim keeps its place. Uses during a walk are noted
 * and carried out at its end, in their order.
 */
public final class RecencyList implements VictimOrder {
    private static final int UNLINKED = 0;
    private static final int END = 1;
    private static final int GATE = 2;
    private static final int WAITING = 3;
    private static final int FIRST_NODE = 4;
    /** Stands for the node ahead in a note that says "joined". */
    private static final int JOINED = -2;
    /** The same for a node that joined as the next victim. */
    private static final int JOINED_COLDEST = -3;

    /** Flag: joined during this walk and not yet in its final place. */
    private static final int UNPLACED = 1;
    /** Flag: of these, stands behind WAITING. */
    private static final int BEHIND = 2;

    private final RecencyRule rule;
    private final IntPredicate alwaysFirst;
    private final Links links = new Links();
    private int size;

    private boolean walking;
    private int cursor;
    private boolean gatePassed;
    private final NodeFlags flags = new NodeFlags();

    private int[] notes = new int[16];
    private int noted;

    /** An order in which no node is singled out. */
    public RecencyList(RecencyRule rule) {
        this(rule, node -> false);
    }

    /**
     * An order in which some nodes go before all others.
     *
     * @param alwaysFirst tells these nodes; asked when a node joins and when it is used
     */
    public RecencyList(RecencyRule rule, IntPredicate alwaysFirst) {
        this.rule = rule;
        this.alwaysFirst = alwaysFirst;
        linkMarkers();
    }

    @Override
    public void added(int node) {
        if (!contains(node)) {
            join(node, JOINED);
        }
    }

    @Override
    public void addedColdest(int node) {
        if (!contains(node)) {
            join(node, JOINED_COLDEST);
        }
    }

    @Override
    public void touched(int node) {
        touchedBehind(node, NONE);
    }

    @Override
    public void touchedBehind(int node, int ahead) {
        if (!contains(node)) {
            return;
        }
        if (walking) {
            note(node, ahead);
        } else {
            use(node, ahead);
        }
    }

    @Override
    public void removed(int node) {
        if (contains(node)) {
            unlink(node + FIRST_NODE);
            if (noted > 0) { // nobody has a flag without a note
                flags.clear(node, UNPLACED | BEHIND);
            }
            size--;
        }
    }

    @Override
    public boolean contains(int node) {
        return node >= 0 && node < links.capacity() - FIRST_NODE && links.after(node + FIRST_NODE) != UNLINKED;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void beginWalk() {
        if (walking) {
            throw new IllegalStateException("a walk is running: end it before the next one begins");
        }
        walking = true;
        gatePassed = false;
        cursor = links.after(END);
    }

    @Override
    public boolean walksFromAnywhere() {
        return true;
    }

    @Override
    public void beginWalkAt(int node) {
        beginWalk();
        if (contains(node)) {
            cursor = node + FIRST_NODE;
            gatePassed = !alwaysFirst.test(node);
        }
    }

    @Override
    public int popNext() {
        requireWalk();
        if (cursor == GATE) {
            gatePassed = true;
            cursor = links.after(GATE);
        }
        if (cursor == WAITING) {
            return NONE;
        }
        int at = cursor;
        cursor = links.after(at);
        return at - FIRST_NODE;
    }

    @Override
    public int following(int node) {
        int at = node == NONE ? cursor : contains(node) ? links.after(node + FIRST_NODE) : WAITING;
        at = at == GATE ? links.after(GATE) : at;
        return at < FIRST_NODE ? NONE : at - FIRST_NODE;
    }

    /** A node that waits enters this walk: at once if it would have had its turn by now, else in its place. */
    @Override
    public void promote(int node) {
        requireWalk();
        if (!flags.clear(node, BEHIND)) {
            return;
        }
        int at = node + FIRST_NODE;
        unlink(at);
        if (isOverdue(node)) {
            linkBefore(cursor, at);
            cursor = at;
            gatePassed = true;
        } else {
            boolean nothingLeft = cursor == WAITING;
            place(node);
            cursor = nothingLeft ? at : cursor;
        }
    }

    @Override
    public void endWalk() {
        walking = false;
        for (int i = 0; i < noted; i += 2) {
            int node = notes[i];
            if (!contains(node)) {
                continue;
            }
            switch (notes[i + 1]) {
                case JOINED, JOINED_COLDEST -> {
                    flags.clear(node, UNPLACED | BEHIND);
                    unlink(node + FIRST_NODE);
                    place(node, notes[i + 1]);
                }
                default -> use(node, notes[i + 1]);
            }
        }
        noted = 0;
    }

    @Override
    public void clear() {
        links.clear();
        size = 0;
        noted = 0;
        flags.clearAll();
        walking = false;
        linkMarkers();
    }

    private void join(int node, int how) {
        requireNode(node);
        links.growTo(node + FIRST_NODE);
        size++;
        if (walking) {
            linkBefore(END, node + FIRST_NODE);
            flags.set(node, UNPLACED | BEHIND);
            note(node, how);
        } else {
            place(node, how);
        }
    }

    private void use(int node, int ahead) {
        if (!rule.movesOnUse()) {
            return;
        }
        unlink(node + FIRST_NODE);
        boolean chained =
                contains(ahead) && !flags.has(ahead, UNPLACED) && !alwaysFirst.test(node) && !alwaysFirst.test(ahead);
        if (chained) {
            linkBefore(ahead + FIRST_NODE, node + FIRST_NODE);
        } else {
            place(node);
        }
    }

    private void place(int node, int how) {
        if (how == JOINED_COLDEST) {
            linkBefore(links.after(alwaysFirst.test(node) ? END : GATE), node + FIRST_NODE);
        } else {
            place(node);
        }
    }

    /** Links a node where a node that has just been used belongs. */
    private void place(int node) {
        int successor = alwaysFirst.test(node) ? GATE : rule.newestFirst() ? links.after(GATE) : WAITING;
        linkBefore(successor, node + FIRST_NODE);
    }

    private boolean isOverdue(int node) {
        return alwaysFirst.test(node) ? gatePassed || cursor == GATE : rule.newestFirst();
    }

    private void linkBefore(int successor, int at) {
        int predecessor = links.before(successor);
        links.setBefore(at, predecessor);
        links.setAfter(at, successor);
        links.setAfter(predecessor, at);
        links.setBefore(successor, at);
    }

    private void unlink(int at) {
        int predecessor = links.before(at);
        int successor = links.after(at);
        if (cursor == at) {
            cursor = successor;
        }
        links.setAfter(predecessor, successor);
        links.setBefore(successor, predecessor);
        links.setAfter(at, UNLINKED);
    }

    private void linkMarkers() {
        links.setAfter(END, END);
        links.setBefore(END, END);
        linkBefore(END, GATE);
        linkBefore(END, WAITING);
    }

    private void note(int node, int ahead) {
        if (noted == notes.length) {
            notes = Arrays.copyOf(notes, noted * 2);
        }
        notes[noted++] = node;
        notes[noted++] = ahead;
    }

    private static void requireNode(int node) {
        if (node < 0 || node > Integer.MAX_VALUE - 8 - FIRST_NODE) {
            throw new IllegalArgumentException("node ids start at 0, got " + node);
        }
    }

    private void requireWalk() {
        if (!walking) {
            throw new IllegalStateException("no walk is running: call beginWalk first");
        }
    }
}
