package io.tidemark.index.prefix;

/**
 * Values of sliding-window attention. The model looks back a window only, so that a match may end where the last window
 * before it is whole, and what lies further up may go by itself: its nodes become tombstones and keep their full values.
 *
 * <ul>
 *   <li>A match may end anywhere above the first tombstone of its path, and below one after a whole window of nodes
 *       with values.
 *   <li>A request tells where its own window values begin; an insert gives nodes values from there on, tombstones too.
 *       A node is split where they begin. A leaf longer than a window is split so that its end holds one window, and
 *       locking it locks no more.
 *   <li>A lock covers nodes from its own upwards until they make a window, tombstones included. Its receipt is the units
 *       covered: later splits do not change where that ends.
 *   <li>A use refreshes the last window and a page.
 * </ul>
 */
final class WindowComponent<V> implements NodeComponent<V> {
    private static final long UNBROKEN = Long.MAX_VALUE / 2;

    private final TreeParts<V> tree;
    private final Nodes nodes;
    private final Splitter<V> splitter;
    private final SlotTable<V> values;
    private final HeldValues held;
    private final int window;
    /** A window in whole pages. */
    private final int wholePages;
    /** What a use refreshes. */
    private final int span;

    WindowComponent(TreeParts<V> tree, Splitter<V> splitter, SlotTable<V> values, ComponentOrder order) {
        this.tree = tree;
        this.nodes = tree.nodes();
        this.splitter = splitter;
        this.values = values;
        this.held = new HeldValues(nodes, Nodes.WINDOW, order);
        this.window = tree.options().components().window();
        int page = tree.options().pageSize();
        this.wholePages = Math.ceilDiv(window, page) * page;
        this.span = window + page;
    }

    @Override
    public HeldValues held() {
        return held;
    }

    @Override
    public MatchRule rule() {
        return new WholeWindow();
    }

    /** The nodes with values within reach become the newest, the deepest newest of all. */
    @Override
    public void matched(int end) {
        int deeper = Nodes.NONE;
        int reached = 0;
        for (int node = end; node != Nodes.ROOT && reached < span; node = nodes.parent(node)) {
            if (held.has(node) && deeper == Nodes.NONE) {
                held.order().used(node);
                deeper = node;
            } else if (held.has(node)) {
                held.order().usedBehind(node, deeper);
                deeper = node;
            }
            reached += nodes.length(node);
        }
    }

    @Override
    public int overlapped(int node, int from, int to, Insertion<V> insertion) {
        int first = Math.max(from, insertion.windowStart());
        if (insertion.protectedLength() >= to || held.has(node) || first >= to) {
            return to;
        }
        if (first > from) {
            splitter.split(node, first - from);
        }
        recover(node, first, to - first, insertion);
        return first;
    }

    @Override
    public void duplicated(int from, int to, Insertion<V> insertion) {
        int first = Math.max(from, insertion.windowStart());
        if (first < to) {
            values.reject(insertion.windowValues(), first, to - first);
        }
    }

    @Override
    public void leafAdded(int leaf, int from, int to, Insertion<V> insertion) {
        int first = Math.max(from, insertion.windowStart());
        if (first >= to) {
            return;
        }
        if (first > from) {
            splitter.split(leaf, first - from);
        }
        int older = to - first - wholePages;
        if (older > 0) {
            hold(splitter.split(leaf, older), first, older, insertion);
            first += older;
        }
        hold(leaf, first, to - first, insertion);
    }

    @Override
    public void inserted(int end, boolean newLeaf, Insertion<V> insertion) {
        matched(end);
    }

    @Override
    public void split(int prefix, int suffix, int at) {
        held.split(prefix, suffix);
        if (held.has(suffix)) {
            values.split(prefix, suffix, at, nodes.length(suffix));
        }
    }

    @Override
    public int lock(int node) {
        int covered = 0;
        for (int at = node; at != Nodes.ROOT && covered < window; at = nodes.parent(at)) {
            held.lock(at, 1, nodes.length(at));
            covered += nodes.length(at);
        }
        return covered;
    }

    @Override
    public void unlock(int node, int receipt) {
        requireReceipt(node, receipt);
        int left = receipt;
        for (int at = node; left > 0; at = nodes.parent(at)) {
            held.lock(at, -1, nodes.length(at));
            left -= nodes.length(at);
        }
    }

    /** Throws before anything has changed. */
    private void requireReceipt(int node, int receipt) {
        int left = receipt;
        int at = node;
        for (; at != Nodes.ROOT && left > 0 && held.locks(at) > 0; at = nodes.parent(at)) {
            left -= nodes.length(at);
        }
        if (left != 0) {
            throw new IllegalStateException("receipt " + receipt + " is not that of a lock of node " + node + ": "
                    + left + " units are left at node " + at);
        }
    }

    @Override
    public void release(int node) {
        int length = nodes.length(node);
        held.drop(node, length);
        values.release(node, length);
    }

    @Override
    public void clear() {
        held.clear();
        values.clear();
    }

    @Override
    public void check(int node) {
        SanityCheck.require(
                !held.has(node) || nodes.has(node, Nodes.DEVICE), node, "has window values but no full ones");
    }

    /**
     * The tombstone takes the request's values. Its full values are changed for the request's too, which belong with
     * them, unless they are locked: then those of the request are given back.
     */
    private void recover(int node, int from, int length, Insertion<V> insertion) {
        if (nodes.locks(node) > 0) {
            tree.slots().reject(insertion.values(), from, length);
            insertion.gaveBack(length);
        } else {
            tree.slots().release(node, length);
            tree.slots().adopt(node, insertion.values(), from, length);
        }
        hold(node, from, length, insertion);
    }

    private void hold(int node, int from, int length, Insertion<V> insertion) {
        values.adopt(node, insertion.windowValues(), from, length);
        held.hold(node, length);
    }

    /** A match may end where the last window has values. */
    private final class WholeWindow implements MatchRule {
        /** Units with values before where the match is. */
        private long unbroken;

        @Override
        public void begin() {
            unbroken = UNBROKEN;
        }

        @Override
        public boolean accepts(int node, int length) {
            unbroken = held.has(node) ? unbroken + length : 0;
            return unbroken >= window;
        }
    }
}
