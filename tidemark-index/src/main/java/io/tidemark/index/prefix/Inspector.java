package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Reads a tree for people and tests; may make garbage. */
final class Inspector {
    private static final Comparator<NodeInfo> BY_KEY =
            Comparator.comparingInt(NodeInfo::namespace).thenComparing(NodeInfo::tokens, Arrays::compareUnsigned);

    private final TreeParts<?> tree;
    private final Nodes nodes;

    Inspector(TreeParts<?> tree) {
        this.tree = tree;
        this.nodes = tree.nodes();
    }

    /** Throws unless the key can go on where the node ends. */
    void requireFollows(int node, TokenKey key) {
        if (node == Nodes.ROOT) {
            return;
        }
        if (!nodes.has(node, Nodes.DEVICE)) {
            throw new IllegalArgumentException("node " + node + " is not on the device");
        }
        if (nodes.namespace(node) != key.namespace()) {
            throw new IllegalArgumentException(
                    "node " + node + " is of namespace " + nodes.namespace(node) + ", the key of " + key.namespace());
        }
        int last = nodes.length(node);
        if (tree.shape().bigram() && key.length() > 0 && tree.tokens().get(node, last) != key.tokens()[0]) {
            throw new IllegalArgumentException("the key starts with token " + key.tokens()[0] + ", expected "
                    + tree.tokens().get(node, last) + ", the last of node " + node);
        }
    }

    NodeInfo describe(int node) {
        boolean hasHostTier = tree.options().host().policy() != WritePolicy.NONE;
        return new NodeInfo(
                node,
                nodes.parent(node),
                nodes.namespace(node),
                nodes.length(node),
                tokens(node),
                nodes.locks(node),
                nodes.hostLocks(node),
                nodes.hits(node),
                nodes.priority(node),
                nodes.sessions(node),
                nodes.lastAccess(node),
                nodes.created(node),
                nodes.has(node, Nodes.DEVICE),
                nodes.has(node, Nodes.HOST),
                nodes.has(node, Nodes.DEVICE_LEAF),
                nodes.has(node, Nodes.HOST_LEAF),
                hasHostTier && tree.host().fields().write(node) != Nodes.NONE,
                tree.host().duplicates().isListed(node),
                nodes.has(node, Nodes.WINDOW),
                nodes.has(node, Nodes.STATE));
    }

    /** All nodes but the root, parents before children, siblings by namespace and tokens. */
    List<NodeInfo> dump() {
        List<NodeInfo> all = new ArrayList<>();
        List<NodeInfo> open = new ArrayList<>(children(Nodes.ROOT).reversed());
        while (!open.isEmpty()) {
            NodeInfo next = open.removeLast();
            all.add(next);
            open.addAll(children(next.node()).reversed());
        }
        return all;
    }

    /** Tokens from the root to the node's end. */
    int[] path(int node) {
        int[] path = {};
        for (int at = node; at != Nodes.ROOT; at = nodes.parent(at)) {
            int[] own = tokens(at);
            int kept = at == node ? own.length : own.length - tree.shape().overlap();
            int[] longer = Arrays.copyOf(own, kept + path.length);
            System.arraycopy(path, 0, longer, kept, path.length);
            path = longer;
        }
        return path;
    }

    private List<NodeInfo> children(int node) {
        List<NodeInfo> children = new ArrayList<>();
        for (int child = nodes.firstChild(node); child != Nodes.NONE; child = nodes.nextSibling(child)) {
            children.add(describe(child));
        }
        children.sort(BY_KEY);
        return children;
    }

    private int[] tokens(int node) {
        int[] own = new int[tree.shape().tokens(nodes.length(node))];
        tree.tokens().copyOut(node, 0, own, 0, own.length);
        return own;
    }
}
