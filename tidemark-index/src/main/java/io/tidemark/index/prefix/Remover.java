package io.tidemark.index.prefix;

/** Takes childless nodes out of the tree, with everything that refers to them. */
final class Remover<V> {
    private final TreeParts<V> tree;
    private final Nodes nodes;

    Remover(TreeParts<V> tree) {
        this.tree = tree;
        this.nodes = tree.nodes();
    }

    /** Removes the node, which has no copy any more, and re-judges its parent. */
    void remove(int node) {
        int parent = nodes.parent(node);
        assert !nodes.has(node, Nodes.DEVICE) && !nodes.has(node, Nodes.HOST) : "node " + node + " has a copy";
        tree.leaves().removed(node);
        tree.sessions().removed(node);
        tree.components().removed(node);
        if (nodes.has(node, Nodes.DUPLICATE)) {
            tree.host().duplicates().forget(node);
        }
        tree.children().detach(node);
        tree.events().forget(node);
        tree.tokens().release(node, nodes.length(node));
        tree.namespaces().nodeRemoved(nodes.namespace(node));
        nodes.remove(node);
        tree.leaves().refresh(parent);
    }
}
