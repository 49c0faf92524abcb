package io.tidemark.index.prefix;

import java.util.List;

/**
 * Finds the longest stored prefix of a key that all components of the tree accept. A match is a use of the whole path to
 * there, and ends exactly at a node: it may cut one in two. It never changes hits or priorities.
 *
 * <p>Keeps where the running match is: every thread that matches has a matcher of its own. {@link #peek} ends whatever it
 * reads, since each step goes on by a page at least.
 */
final class Matcher<V> {
    private final TreeParts<V> tree;
    private final Nodes nodes;
    private final Splitter<V> splitter;
    private final List<MatchRule> rules;

    /** Where the running match may end, so far. */
    private int best;

    private int bestEnd;
    /** The last node on the path that is on the device; what is above it is too. */
    private int device;

    private int deviceEnd;

    private Matcher(TreeParts<V> tree, Splitter<V> splitter, List<MatchRule> rules) {
        this.tree = tree;
        this.nodes = tree.nodes();
        this.splitter = splitter;
        this.rules = rules;
    }

    /** The matcher of the tree's writer; the tree has its components. */
    static <V> Matcher<V> writing(TreeParts<V> tree, Splitter<V> splitter) {
        return new Matcher<>(tree, splitter, tree.components().rules());
    }

    /** A matcher for another thread, which may {@link #peek}. */
    static <V> Matcher<V> reading(TreeParts<V> tree) {
        return writing(tree, new Splitter<>(tree));
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
        report(at, result);
    }

    /** Fills the result as {@link #match} would, but uses no node and cuts none. */
    void peek(TokenKey key, MatchResult result) {
        int units = tree.shape().units(key.length());
        begin();
        int node = Nodes.ROOT;
        int at = 0;
        while (at < units) {
            node = tree.children().find(node, key, at);
            int common = node == Nodes.NONE ? 0 : tree.commonUnits(node, key, at, units);
            if (common <= 0) {
                break;
            }
            at += common;
            reached(node, common, at);
            if (common < nodes.length(node)) {
                break;
            }
        }
        report(at, result);
    }

    private void begin() {
        best = Nodes.ROOT;
        bestEnd = 0;
        device = Nodes.ROOT;
        deviceEnd = 0;
        for (int i = 0; i < rules.size(); i++) {
            rules.get(i).begin();
        }
    }

    private void reached(int node, int length, int end) {
        if (nodes.has(node, Nodes.DEVICE)) {
            device = node;
            deviceEnd = end;
        }
        if (isAccepted(node, length)) {
            best = node;
            bestEnd = end;
        }
    }

    /** Whether the match may end here; all rules are asked. */
    private boolean isAccepted(int node, int length) {
        boolean accepted = true;
        for (int i = 0; i < rules.size(); i++) {
            accepted &= rules.get(i).accepts(node, length);
        }
        return accepted;
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

    private void report(int fullLength, MatchResult result) {
        boolean onDevice = bestEnd <= deviceEnd;
        int deviceLength = onDevice ? bestEnd : deviceEnd;
        result.set(deviceLength, bestEnd - deviceLength, fullLength, onDevice ? best : device, best);
    }
}
