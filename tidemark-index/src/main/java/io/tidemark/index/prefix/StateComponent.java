package io.tidemark.index.prefix;

/**
 * States of a recurrent layer (Mamba): one state a node, good at the node's end only. A match may end at nodes with a
 * state and nowhere else, a lock keeps the state of its own node, and of a split node the rest keeps it.
 */
final class StateComponent<V> implements NodeComponent<V> {
    private final TreeParts<V> tree;
    private final Nodes nodes;
    private final StatePool pool;
    private final IntColumn states;
    private final HeldValues held;

    StateComponent(TreeParts<V> tree, StatePool pool, ComponentOrder order) {
        this.tree = tree;
        this.nodes = tree.nodes();
        this.pool = pool;
        this.states = nodes.column(1, Insertion.NO_STATE);
        this.held = new HeldValues(nodes, Nodes.STATE, order);
    }

    /** The node's state, or {@link Insertion#NO_STATE}. */
    int state(int node) {
        return states.get(node, 0);
    }

    @Override
    public HeldValues held() {
        return held;
    }

    @Override
    public MatchRule rule() {
        return new AtStates();
    }

    @Override
    public void matched(int end) {
        if (held.has(end)) {
            held.order().used(end);
        }
    }

    @Override
    public int overlapped(int node, int from, int to, Insertion<V> insertion) {
        return to;
    }

    @Override
    public void duplicated(int from, int to, Insertion<V> insertion) {}

    @Override
    public void leafAdded(int leaf, int from, int to, Insertion<V> insertion) {}

    /** The end takes the request's state unless it has one; an end that was there before counts as used once more. */
    @Override
    public void inserted(int end, boolean newLeaf, Insertion<V> insertion) {
        if (insertion.state() == Insertion.NO_STATE) {
            return;
        }
        if (!newLeaf) {
            nodes.lastAccess(end, tree.clock().tick());
        }
        if (held.has(end)) {
            held.order().used(end);
            return;
        }
        states.set(end, 0, insertion.state());
        held.hold(end, 1);
        insertion.stateTaken();
    }

    /** The state, and the locks of it, stay with the rest. */
    @Override
    public void split(int prefix, int suffix, int at) {}

    @Override
    public int lock(int node) {
        if (node != Nodes.ROOT) {
            held.lock(node, 1, 1);
        }
        return 0;
    }

    @Override
    public void unlock(int node, int receipt) {
        if (node != Nodes.ROOT) {
            held.lock(node, -1, 1);
        }
    }

    @Override
    public void release(int node) {
        int state = states.get(node, 0);
        held.drop(node, 1);
        states.set(node, 0, Insertion.NO_STATE);
        pool.free(state);
    }

    @Override
    public void clear() {
        held.clear();
    }

    @Override
    public void check(int node) {
        boolean stored = states.get(node, 0) != Insertion.NO_STATE;
        SanityCheck.require(held.has(node) == stored, node, "is wrong about having a state");
        SanityCheck.require(!stored || nodes.has(node, Nodes.DEVICE), node, "has a state but no full values");
    }

    /** A state is good at the node's end only, so that a part of a node is no place to end. */
    private final class AtStates implements MatchRule {
        @Override
        public void begin() {}

        @Override
        public boolean accepts(int node, int length) {
            return held.has(node) && length == nodes.length(node);
        }
    }
}
