package io.tidemark.index.prefix;

import java.util.Arrays;

/**
 * The nodes that have both copies and no transfer in flight, in the order in which they became so: under pressure their
 * host copies go first. A node that lost its device copy stays listed, and keeps its place should it get one again, until
 * the next sweep meets it.
 *
 * <p>An array of places, the oldest first; what leaves the list leaves a hole. A sweep may meet a million nodes that are
 * on the host only by now: it reads on along the array, and no step waits for the one before. When the array is full it
 * is packed if half of it is holes, else it doubles.
 */
final class Duplicates {
    private static final int HOLE = Nodes.ROOT;
    private static final int MIN_PLACES = 64;

    private final Nodes nodes;
    private final HostFields fields;
    private int[] places = new int[MIN_PLACES];
    /** Holes only before it. */
    private int begin;

    private int end;
    private int size;

    Duplicates(Nodes nodes, HostFields fields) {
        this.nodes = nodes;
        this.fields = fields;
    }

    /** Lists the node if it belongs here, else takes it off; a listed node keeps its place. */
    void track(int node) {
        boolean belongs = nodes.has(node, Nodes.DEVICE) && nodes.has(node, Nodes.HOST) && fields.isSettled(node);
        if (!belongs) {
            forget(node);
        } else if (!nodes.has(node, Nodes.DUPLICATE)) {
            append(node);
        }
    }

    void forget(int node) {
        if (nodes.has(node, Nodes.DUPLICATE)) {
            forgetAt(fields.duplicatePlace(node));
        }
    }

    /** Takes off the node at a place that {@link #first} or {@link #next} answered. */
    void forgetAt(int place) {
        nodes.clear(places[place], Nodes.DUPLICATE);
        places[place] = HOLE;
        size--;
    }

    /** The place of the node listed longest ago, or {@link Nodes#NONE}. */
    int first() {
        begin = next(begin - 1);
        if (begin == Nodes.NONE) {
            begin = end;
            return Nodes.NONE;
        }
        return begin;
    }

    /** The next place with a node, or {@link Nodes#NONE}. */
    int next(int place) {
        for (int at = place + 1; at < end; at++) {
            if (places[at] != HOLE) {
                return at;
            }
        }
        return Nodes.NONE;
    }

    /** The node at a place that {@link #first} or {@link #next} answered. */
    int at(int place) {
        return places[place];
    }

    int size() {
        return size;
    }

    void clear() {
        places = new int[MIN_PLACES];
        begin = 0;
        end = 0;
        size = 0;
    }

    private void append(int node) {
        if (end == places.length) {
            makeRoom();
        }
        nodes.set(node, Nodes.DUPLICATE);
        put(node, end++);
        size++;
    }

    private void makeRoom() {
        if (size > places.length / 2) {
            places = Arrays.copyOf(places, 2 * places.length);
            return;
        }
        int packed = 0;
        for (int place = begin; place < end; place++) {
            int node = places[place];
            if (node != HOLE) {
                put(node, packed++);
            }
        }
        begin = 0;
        end = packed;
    }

    private void put(int node, int place) {
        places[place] = node;
        fields.duplicatePlace(node, place);
    }
}
