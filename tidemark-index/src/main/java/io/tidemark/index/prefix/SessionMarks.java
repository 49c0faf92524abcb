package io.tidemark.index.prefix;

import java.util.Arrays;

/**
 * Which session marks which node: pairs in flat arrays, found by (node, session) through a hash table, and listed per
 * node and per session.
 */
final class SessionMarks {
    static final int NONE = -1;

    private static final int NODE = 0;
    private static final int SESSION = 1;
    private static final int NEXT_OF_NODE = 2;
    private static final int PREVIOUS_OF_NODE = 3;
    private static final int NEXT_OF_SESSION = 4;
    private static final int PREVIOUS_OF_SESSION = 5;
    private static final int FIELDS = 6;

    private final IntColumn firstOfNode;
    private int[] firstOfSession = new int[16];
    private int[] marks = new int[16 * FIELDS];
    private int opened;
    private int firstFree = NONE;
    private int size;
    /** Mark + 1 a slot, 0 where empty. */
    private int[] table = new int[64];

    SessionMarks(Nodes nodes, boolean enabled) {
        this.firstOfNode = enabled ? nodes.column(1, NONE) : new IntColumn(1, NONE);
        Arrays.fill(firstOfSession, NONE);
    }

    /** Makes room for a session number, without marks. */
    void open(int session) {
        if (session >= firstOfSession.length) {
            firstOfSession = Arrays.copyOf(firstOfSession, Math.max(session + 1, firstOfSession.length * 2));
        }
        firstOfSession[session] = NONE;
    }

    boolean contains(int node, int session) {
        return table[slot(node, session)] != 0;
    }

    void add(int node, int session) {
        if ((size + 1) * 2 > table.length) {
            grow();
        }
        int mark = create();
        set(mark, NODE, node);
        set(mark, SESSION, session);
        table[slot(node, session)] = mark + 1;
        int ofNode = firstOfNode.get(node, 0);
        set(mark, NEXT_OF_NODE, ofNode);
        set(mark, PREVIOUS_OF_NODE, NONE);
        if (ofNode != NONE) {
            set(ofNode, PREVIOUS_OF_NODE, mark);
        }
        firstOfNode.set(node, 0, mark);
        int ofSession = firstOfSession[session];
        set(mark, NEXT_OF_SESSION, ofSession);
        set(mark, PREVIOUS_OF_SESSION, NONE);
        if (ofSession != NONE) {
            set(ofSession, PREVIOUS_OF_SESSION, mark);
        }
        firstOfSession[session] = mark;
        size++;
    }

    void remove(int node, int session) {
        int slot = slot(node, session);
        int mark = table[slot] - 1;
        assert mark >= 0 : "session " + session + " does not mark node " + node;
        removeSlot(slot);
        int next = get(mark, NEXT_OF_NODE);
        int previous = get(mark, PREVIOUS_OF_NODE);
        if (previous == NONE) {
            firstOfNode.set(node, 0, next);
        } else {
            set(previous, NEXT_OF_NODE, next);
        }
        if (next != NONE) {
            set(next, PREVIOUS_OF_NODE, previous);
        }
        next = get(mark, NEXT_OF_SESSION);
        previous = get(mark, PREVIOUS_OF_SESSION);
        if (previous == NONE) {
            firstOfSession[session] = next;
        } else {
            set(previous, NEXT_OF_SESSION, next);
        }
        if (next != NONE) {
            set(next, PREVIOUS_OF_SESSION, previous);
        }
        set(mark, NODE, firstFree);
        firstFree = mark;
        size--;
    }

    /** A session that marks the node, or {@link #NONE}. */
    int anySession(int node) {
        int mark = firstOfNode.get(node, 0);
        return mark == NONE ? NONE : get(mark, SESSION);
    }

    /** A node that the session marks, or {@link #NONE}. */
    int anyNode(int session) {
        int mark = firstOfSession[session];
        return mark == NONE ? NONE : get(mark, NODE);
    }

    int size() {
        return size;
    }

    void clear() {
        opened = 0;
        firstFree = NONE;
        size = 0;
        Arrays.fill(table, 0);
        Arrays.fill(firstOfSession, NONE);
    }

    private int create() {
        int mark = firstFree;
        if (mark != NONE) {
            firstFree = get(mark, NODE);
            return mark;
        }
        if ((opened + 1) * FIELDS > marks.length) {
            marks = Arrays.copyOf(marks, marks.length * 2);
        }
        return opened++;
    }

    private int get(int mark, int field) {
        return marks[mark * FIELDS + field];
    }

    private void set(int mark, int field, int value) {
        marks[mark * FIELDS + field] = value;
    }

    /** The slot of the pair, or the empty one where it would go. */
    private int slot(int node, int session) {
        int mask = table.length - 1;
        int slot = home(node, session) & mask;
        while (table[slot] != 0 && (get(table[slot] - 1, NODE) != node || get(table[slot] - 1, SESSION) != session)) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private static int home(int node, int session) {
        int hash = (node * 0x9E3779B1 ^ session) * 0x85EBCA6B;
        return hash ^ hash >>> 15;
    }

    private void removeSlot(int removed) {
        int mask = table.length - 1;
        int hole = removed;
        for (int slot = hole + 1 & mask; table[slot] != 0; slot = slot + 1 & mask) {
            int mark = table[slot] - 1;
            int home = home(get(mark, NODE), get(mark, SESSION)) & mask;
            if ((slot - home & mask) >= (slot - hole & mask)) {
                table[hole] = table[slot];
                hole = slot;
            }
        }
        table[hole] = 0;
    }

    private void grow() {
        int[] old = table;
        table = new int[old.length * 2];
        for (int entry : old) {
            if (entry != 0) {
                table[slot(get(entry - 1, NODE), get(entry - 1, SESSION))] = entry;
            }
        }
    }
}
