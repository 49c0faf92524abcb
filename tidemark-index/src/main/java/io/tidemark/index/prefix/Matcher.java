package io.tidemark.index.prefix;

/**
 * Finds the longest stored prefix of a key that all components of the tree accept. A match is a use of the whole path to
 * there, and ends exactly at a node: it may cut one in two. It never changes hits or priorities.
 */
final class Matcher<V> {
    private final TreeParts<V> tree;
    private final Nodes nodes;
    private final Splitter<V> splitter;

    /** Where the running match may end, so far. */
    private int best;

    private int bestEnd;

    Matcher(TreeParts<V> tree, Splitter<V> splitter) {
        this.tree = tree;
        this.nodes = tree.nodes();
        this.splitter = splitter;
    }

    /** Fills the result; a key shorter than a page matches nothing and changes nothing. */
    void match(TokenKey key, MatchResult result) {
        int units = tree.shape().units(key.length());
        begin();
        int node = Nodes.ROOT;
        int at = 0;
        while (at < units) {
            int child = tree.children().find(node, key, at);
            if (child == Nodes.NONE) {
                break;
            }
            int common = tree.commonUnits(child, key, at, units);
            boolean partial = common < nodes.length(child);
            node = partial ? splitter.split(child, common) : child;
            at += common;
            reached(node, common, at);
            if (partial) {
                break;
            }
        }
        if (units > 0) {
            tree.components().matched(best);
            stamp(best);
        }
        report(best, bestEnd, at, result);
    }

    /** Fills the result as {@link #match} would, but uses no node and cuts none. */
    void peek(TokenKey key, MatchResult result) {
        int units = tree.shape().units(key.length());
        begin();
        int node = Nodes.ROOT;
        int at = 0;
        int beyond = 0;
        while (at < units && beyond == 0) {
            int child = tree.children().find(node, key, at);
            if (child == Nodes.NONE) {
                break;
            }
            int common = tree.commonUnits(child, key, at, units);
            if (common < nodes.length(child)) {
                beyond = nodes.length(child) - common;
            }
            node = child;
            at += common;
            reached(node, common, at);
        }
        if (best != node) {
            beyond = 0;
        }
        report(best, bestEnd + beyond, at, result);
        result.shorten(beyond);
    }

    private void begin() {
        best = Nodes.ROOT;
        bestEnd = 0;
        tree.components().beginMatch();
    }

    /** The match may end here if all components say so. */
    private void reached(int node, int length, int end) {
        if (tree.components().accept(node, length)) {
            best = node;
            bestEnd = end;
        }
    }

    /** One tick for the path, each ancestor a step older than its child. */
    private void stamp(int end) {
        long now = tree.clock().tick();
        long oldest = now - LogicalClock.STEPS + 1;
        int node = end;
        while (node != Nodes.ROOT) {
            nodes.lastAccess(node, now);
            tree.leaves().used(node);
            now = Math.max(oldest, now - 1);
            node = nodes.parent(node);
        }
        nodes.lastAccess(Nodes.ROOT, now);
    }

    private void report(int end, int length, int fullLength, MatchResult result) {
        int onDevice = end;
        int hostLength = 0;
        while (onDevice != Nodes.ROOT && !nodes.has(onDevice, Nodes.DEVICE)) {
            hostLength += nodes.length(onDevice);
            onDevice = nodes.parent(onDevice);
        }
        result.set(length - hostLength, hostLength, fullLength, onDevice, end);
    }
}
