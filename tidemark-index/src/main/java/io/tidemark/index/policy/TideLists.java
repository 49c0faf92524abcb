package io.tidemark.index.policy;

/** Doubly linked lists of nodes; a node is in one list at most. */
final class TideLists {
    private final int lists;
    private final Links links = new Links();
    /** Places that point to themselves or into a list. */
    private int made;

    TideLists(int lists) {
        this.lists = lists;
        makeRoom(lists - 1);
    }

    /** The first node of a list, or {@link VictimOrder#NONE}. */
    int first(int list) {
        int first = links.after(list);
        return first == list ? VictimOrder.NONE : first - lists;
    }

    void append(int list, int node) {
        int at = node + lists;
        makeRoom(at);
        join(links.before(list), at);
        join(at, list);
    }

    void prepend(int list, int node) {
        int at = node + lists;
        makeRoom(at);
        join(at, links.after(list));
        join(list, at);
    }

    /** Takes the node out of the list it is in; no-op when it is in none. */
    void unlink(int node) {
        int at = node + lists;
        join(links.before(at), links.after(at));
        join(at, at);
    }

    /** Moves all of one list behind another, in their order. */
    void appendAll(int list, int from) {
        if (links.after(from) == from) {
            return;
        }
        join(links.before(list), links.after(from));
        join(links.before(from), list);
        join(from, from);
    }

    private void makeRoom(int at) {
        while (made <= at) {
            links.growTo(made);
            for (; made < links.capacity(); made++) {
                join(made, made);
            }
        }
    }

    private void join(int left, int right) {
        links.setAfter(left, right);
        links.setBefore(right, left);
    }
}
