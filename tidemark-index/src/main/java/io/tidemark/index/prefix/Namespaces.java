package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives every pair of extra key and cache salt a small number; keys of different namespaces never match.
 *
 * <p>Namespaces may be as many as users or requests: of those that have no node only the last {@value #IDLE_MAX} asked for
 * are kept. A number is a place and how often that place has been given anew, so that one of a forgotten namespace is
 * recognised and never taken for that of another; a place that has been given too often is not given again.
 */
final class Namespaces {
    /** The namespace without extra key and salt. */
    static final int PLAIN = 0;

    /** Namespaces without a node that are kept. */
    static final int IDLE_MAX = 65_536;

    private static final int PLACE_BITS = 22;
    private static final int PLACES_MAX = 1 << PLACE_BITS;
    private static final int TURNS_MAX = 1 << (Integer.SIZE - 1 - PLACE_BITS);

    private static final Namespace NOBODY = new Namespace(Optional.empty(), Optional.empty());

    /** What a namespace takes beside its text: the record, its place, its entries in two maps. */
    private static final long ENTRY_BYTES = 260;

    private final Map<Namespace, Integer> ids = new HashMap<>();
    private final List<Entry> places = new ArrayList<>();

    /** Places without a node, the one asked for longest ago first. */
    private final LinkedHashMap<Integer, Entry> idle = new LinkedHashMap<>();

    /** Places whose namespace was forgotten. */
    private final List<Entry> free = new ArrayList<>();

    private long bytes;

    /** What is at a place now. */
    private static final class Entry {
        private Namespace namespace;
        private int id;
        private long nodes;

        private Entry(Namespace namespace, int id) {
            this.namespace = namespace;
            this.id = id;
        }
    }

    Namespaces() {
        ids.put(NOBODY, PLAIN);
        places.add(new Entry(NOBODY, PLAIN));
    }

    /**
     * The number of a namespace, good for as long as it has a node, or until {@link #IDLE_MAX} others were asked for.
     *
     * @throws IllegalStateException when there are more namespaces with nodes than there are numbers
     */
    int id(Namespace namespace) {
        Integer known = ids.get(namespace);
        if (known != null) {
            Entry entry = idle.remove(place(known));
            if (entry != null) {
                idle.put(place(known), entry);
            }
            return known;
        }
        if (idle.size() >= IDLE_MAX) {
            forgetEldest();
        }
        Entry entry = free.isEmpty() ? first(namespace) : free.removeLast();
        entry.namespace = namespace;
        bytes += bytesOf(namespace);
        ids.put(namespace, entry.id);
        idle.put(place(entry.id), entry);
        return entry.id;
    }

    /** Forgets the namespace without a node that was asked for longest ago; its place may be given anew. */
    private void forgetEldest() {
        Map.Entry<Integer, Entry> eldest = idle.pollFirstEntry();
        Entry entry = eldest.getValue();
        ids.remove(entry.namespace);
        bytes -= bytesOf(entry.namespace);
        entry.namespace = NOBODY;
        int turn = (entry.id >>> PLACE_BITS) + 1;
        // a place that has had all its turns keeps a number that nobody has
        entry.id = turn == TURNS_MAX ? -1 : turn << PLACE_BITS | eldest.getKey();
        if (turn < TURNS_MAX) {
            free.add(entry);
        }
    }

    private Entry first(Namespace namespace) {
        if (places.size() == PLACES_MAX) {
            throw new IllegalStateException(
                    "no number for another namespace: " + PLACES_MAX + " are in use or used up");
        }
        Entry entry = new Entry(namespace, places.size());
        places.add(entry);
        return entry;
    }

    private static int place(int id) {
        return id & (PLACES_MAX - 1);
    }

    private static long bytesOf(Namespace namespace) {
        return ENTRY_BYTES
                + namespace.extraKey().map(String::length).orElse(0)
                + namespace.salt().map(String::length).orElse(0);
    }

    /** A node of the namespace has been made. */
    void nodeAdded(int id) {
        if (id != PLAIN && places.get(place(id)).nodes++ == 0) {
            idle.remove(place(id));
        }
    }

    /** A node of the namespace has gone. */
    void nodeRemoved(int id) {
        if (id != PLAIN) {
            Entry entry = places.get(place(id));
            entry.nodes--;
            if (entry.nodes == 0) {
                rest(place(id), entry);
            }
        }
    }

    private void rest(int place, Entry entry) {
        idle.put(place, entry);
        if (idle.size() > IDLE_MAX) {
            forgetEldest();
        }
    }

    /** All nodes are gone. */
    void cleared() {
        for (int place = 1; place < places.size(); place++) {
            Entry entry = places.get(place);
            if (entry.nodes > 0) {
                entry.nodes = 0;
                rest(place, entry);
            }
        }
    }

    Namespace get(int id) {
        require(id);
        return places.get(place(id)).namespace;
    }

    /** Throws unless the number was given out by {@link #id} and stands for the same namespace still. */
    void require(int id) {
        if (id < 0 || place(id) >= places.size()) {
            throw new IllegalArgumentException("unknown namespace " + id + ", " + ids.size() + " are known");
        }
        if (places.get(place(id)).id != id) {
            throw new IllegalArgumentException("namespace " + id + " had no node and was forgotten after " + IDLE_MAX
                    + " others were asked for: expected its number to be asked for again");
        }
    }

    /** Heap bytes of what is known, about; nothing for the plain one. */
    long bytes() {
        return bytes;
    }
}
