package io.tidemark.index.prefix;

/**
 * The nodes that have both copies and no transfer in flight, in the order in which they became so: under pressure their
 * host copies go first. A node that lost its device copy stays listed until the next sweep meets it.
 */
final class Duplicates {
    private final Nodes nodes;
    private final HostFields fields;
    private int first = Nodes.NONE;
    private int last = Nodes.NONE;
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
        if (!nodes.has(node, Nodes.DUPLICATE)) {
            return;
        }
        nodes.clear(node, Nodes.DUPLICATE);
        int before = fields.previousDuplicate(node);
        int after = fields.nextDuplicate(node);
        if (before == Nodes.NONE) {
            first = after;
        } else {
            fields.nextDuplicate(before, after);
        }
        if (after == Nodes.NONE) {
            last = before;
        } else {
            fields.previousDuplicate(after, before);
        }
        size--;
    }

    /** The node listed longest ago, or {@link Nodes#NONE}. */
    int first() {
        return first;
    }

    int next(int node) {
        return fields.nextDuplicate(node);
    }

    int size() {
        return size;
    }

    void clear() {
        first = Nodes.NONE;
        last = Nodes.NONE;
        size = 0;
    }

    private void append(int node) {
        nodes.set(node, Nodes.DUPLICATE);
        fields.previousDuplicate(node, last);
        fields.nextDuplicate(node, Nodes.NONE);
        if (last == Nodes.NONE) {
            first = node;
        } else {
            fields.nextDuplicate(last, node);
        }
        last = node;
        size++;
    }
}
