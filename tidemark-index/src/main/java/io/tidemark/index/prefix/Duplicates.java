package io.tidemark.index.prefix;

import java.util.Arrays;

/**
 * The nodes that have both copies and no transfer in flight, in the order in which they became so: under pressure their
 * host copies go first. A node that lost its device copy stays listed, and keeps its place should it get one again, until
 * a sweep passes it.
 *
 * <p>An array of places, the oldest first, and a set of places for each {@link Kind}, so that a sweep goes from victim to
 * victim and passes what is in between without a look at it. Nodes that are passed because they are gone from the device
 * are told nothing: a node is listed if its place is in a set. When the array is full it is packed if half of it is not
 * in use, else it doubles.
 */
class Duplicates {
    /** What a sweep does with a listed node. */
    enum Kind {
        /** Goes first. */
        INNER(0),
        /** Is next to leave the device: goes when no inner one is left. */
        LEAF(1),
        /** Is locked on the host or being loaded: stays. */
        BUSY(2),
        /** Is on the host only by now: no longer listed once a sweep has passed it. */
        GONE(3);

        private final int index;

        Kind(int index) {
            this.index = index;
        }
    }

    private static final Kind[] KINDS = Kind.values();
    private static final int KIND_BITS = 2;
    private static final int KIND_MASK = (1 << KIND_BITS) - 1;
    private static final int MIN_PLACES = 64;

    private final Nodes nodes;
    private final HostFields fields;
    private final PlaceSet[] sets = new PlaceSet[KINDS.length];
    private int[] places = new int[0];
    private int end;
    private int size;

    Duplicates(Nodes nodes, HostFields fields) {
        this.nodes = nodes;
        this.fields = fields;
        clear();
    }

    /** Lists the node if it belongs here, else takes it off; a listed node keeps its place. */
    void track(int node) {
        boolean belongs = nodes.has(node, Nodes.DEVICE) && nodes.has(node, Nodes.HOST) && fields.isSettled(node);
        if (!belongs) {
            forget(node);
            return;
        }
        refresh(node);
        if (!nodes.has(node, Nodes.DUPLICATE)) {
            append(node);
        }
    }

    /** Brings the kind of a listed node in line with its facts; nothing for others. */
    void refresh(int node) {
        if (!nodes.has(node, Nodes.DUPLICATE)) {
            return;
        }
        Kind before = kind(node);
        Kind now = kindOf(node);
        if (now == before) {
            return;
        }
        if (!isListed(node)) {
            nodes.clear(node, Nodes.DUPLICATE);
            return;
        }
        int place = place(node);
        set(before).remove(place);
        file(node, place, now);
    }

    void forget(int node) {
        if (isListed(node)) {
            set(kind(node)).remove(place(node));
            size--;
        }
        nodes.clear(node, Nodes.DUPLICATE);
    }

    /**
     * Takes off the node of the kind that was listed first, and answers it; {@link Nodes#NONE} if there is none. The
     * nodes that are gone from the device and were listed before it, or all of them, are taken off as well.
     */
    int take(Kind kind) {
        int place = set(kind).first();
        size -= set(Kind.GONE).removeBelow(place == Nodes.NONE ? end : place);
        if (place == Nodes.NONE) {
            return Nodes.NONE;
        }
        int node = places[place];
        forget(node);
        return node;
    }

    boolean isListed(int node) {
        return nodes.has(node, Nodes.DUPLICATE) && (kind(node) != Kind.GONE || isGoneAndListed(node));
    }

    /** Whether a node that is listed is filed under the kind that its facts make it. */
    boolean isFiledRightly(int node) {
        return kind(node) == kindOf(node) && set(kind(node)).has(place(node)) && places[place(node)] == node;
    }

    /** Nodes listed. */
    int size() {
        return size;
    }

    final void clear() {
        places = new int[MIN_PLACES];
        end = 0;
        size = 0;
        emptySets();
    }

    /** A sweep may have passed the node, and its place may be another one's by now. */
    private boolean isGoneAndListed(int node) {
        int place = place(node);
        return place < end && places[place] == node && set(Kind.GONE).has(place);
    }

    private Kind kindOf(int node) {
        if (!nodes.has(node, Nodes.DEVICE)) {
            return Kind.GONE;
        }
        if (nodes.hostLocks(node) != 0 || !fields.isSettled(node)) {
            return Kind.BUSY;
        }
        return nodes.has(node, Nodes.DEVICE_LEAF) ? Kind.LEAF : Kind.INNER;
    }

    private void append(int node) {
        if (end == places.length) {
            makeRoom();
        }
        nodes.set(node, Nodes.DUPLICATE);
        places[end] = node;
        file(node, end++, kindOf(node));
        size++;
    }

    private void makeRoom() {
        if (size > places.length / 2) {
            places = Arrays.copyOf(places, 2 * places.length);
            for (PlaceSet set : sets) {
                set.grow(places.length);
            }
            return;
        }
        PlaceSet[] before = sets.clone();
        emptySets();
        int packed = 0;
        for (int place = 0; place < end; place++) {
            for (Kind kind : KINDS) {
                if (before[kind.index].has(place)) {
                    places[packed] = places[place];
                    file(places[packed], packed++, kind);
                }
            }
        }
        end = packed;
    }

    private void emptySets() {
        for (int kind = 0; kind < sets.length; kind++) {
            sets[kind] = new PlaceSet();
            sets[kind].grow(places.length);
        }
    }

    private void file(int node, int place, Kind kind) {
        set(kind).add(place);
        fields.duplicate(node, place << KIND_BITS | kind.index);
    }

    private PlaceSet set(Kind kind) {
        return sets[kind.index];
    }

    private int place(int node) {
        return fields.duplicate(node) >>> KIND_BITS;
    }

    private Kind kind(int node) {
        return KINDS[fields.duplicate(node) & KIND_MASK];
    }
}
