package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/** The list of nodes with both copies as plainly as possible: each sweep looks at every node from the first on. */
final class NaiveDuplicates extends Duplicates {
    /** Trees with such a list and otherwise the usual orders. */
    record Factory() implements TreeParts.LeafSetsFactory {
        @Override
        public LeafSets create(Nodes nodes, TreeOrders orders, Duplicates duplicates) {
            return new LeafSets(nodes, orders, duplicates);
        }

        @Override
        public Duplicates duplicates(Nodes nodes, HostFields fields) {
            return new NaiveDuplicates(nodes, fields);
        }
    }

    private final Nodes nodes;
    private final HostFields fields;
    private final Set<Integer> listed = new LinkedHashSet<>();

    NaiveDuplicates(Nodes nodes, HostFields fields) {
        super(nodes, fields);
        this.nodes = nodes;
        this.fields = fields;
    }

    @Override
    void track(int node) {
        if (nodes.has(node, Nodes.DEVICE) && nodes.has(node, Nodes.HOST) && fields.isSettled(node)) {
            nodes.set(node, Nodes.DUPLICATE);
            listed.add(node);
        } else {
            forget(node);
        }
    }

    @Override
    void refresh(int node) {
        // every sweep looks anew
    }

    @Override
    void forget(int node) {
        nodes.clear(node, Nodes.DUPLICATE);
        listed.remove(node);
    }

    @Override
    int take(Kind kind) {
        for (int node : new ArrayList<>(listed)) {
            if (!nodes.has(node, Nodes.DEVICE)) {
                forget(node);
            } else if (nodes.hostLocks(node) == 0
                    && fields.isSettled(node)
                    && (kind == Kind.LEAF || !nodes.has(node, Nodes.DEVICE_LEAF))) {
                forget(node);
                return node;
            }
        }
        return Nodes.NONE;
    }

    @Override
    boolean isListed(int node) {
        return listed.contains(node);
    }

    @Override
    boolean isFiledRightly(int node) {
        return true;
    }

    @Override
    int size() {
        return listed.size();
    }
}
