package io.tidemark.index.prefix;

import java.util.List;
import java.util.Optional;

/**
 * A radix tree over token ids that says which prefixes of a prompt have their KV cache on the device or on the host,
 * and which part of it goes next.
 *
 * <p>An index: it decides and keeps count, {@linkplain TreeServices others} hold the bytes. A node stands for a run of
 * units (tokens, or bigrams of them) behind the path from the root; it is split where keys part. Time is a count of
 * accesses, so that the same calls always give the same victims.
 *
 * <p>Not thread-safe: all calls come from one writer, callbacks of {@link Transfers} included. Calls that change the
 * tree are refused from inside a callback, except {@link #writeDone} and {@link #loadDone}. In steady state no call
 * makes garbage, unless events are on; {@link #checkpoint} makes two small objects. Node ids are valid until the node is evicted; lock what must stay.
 *
 * @param <V> the values of a request, kept by a {@link SlotTable}
 */
public final class PrefixTree<V> {
    /** The node above all others: the end of an empty path. */
    public static final int ROOT = Nodes.ROOT;

    /** The receipt of a lock whose component part is {@linkplain #releaseComponents released}. */
    public static final int RELEASED = -1;

    private final TreeParts<V> tree;
    private final CallGuard guard;
    private final Matcher<V> matcher;
    private final Inserter<V> inserter;
    private final HostEvictor<V> hostEvictor;
    private final Backups<V> backups;
    private final DeviceEvictor<V> deviceEvictor;
    private final LoadBacks<V> loadBacks;
    private final Inspector inspector;
    private final Optional<WindowComponent<V>> window;
    private final Optional<StateComponent<V>> states;

    /** An empty tree. */
    public PrefixTree(TreeOptions options, TreeServices<V> services) {
        this(options, services, LeafSets::new);
    }

    PrefixTree(TreeOptions options, TreeServices<V> services, TreeParts.LeafSetsFactory leafSets) {
        this.tree = new TreeParts<>(options, services, leafSets);
        this.guard = new CallGuard(tree.stamp());
        Splitter<V> splitter = new Splitter<>(tree);
        Remover<V> remover = new Remover<>(tree);
        this.hostEvictor = new HostEvictor<>(tree, remover);
        this.backups = new Backups<>(tree, hostEvictor);
        this.inserter = new Inserter<>(tree, splitter, backups);
        this.deviceEvictor = new DeviceEvictor<>(tree, remover, backups);
        this.loadBacks = new LoadBacks<>(tree, deviceEvictor);
        this.inspector = new Inspector(tree);
        ComponentOptions components = options.components();
        this.window = components.window() == 0
                ? Optional.empty()
                : Optional.of(new WindowComponent<>(tree, splitter, services.windows(), leafSets.componentOrder()));
        this.states = components.states()
                ? Optional.of(new StateComponent<>(tree, services.states(), leafSets.componentOrder()))
                : Optional.empty();
        window.ifPresent(tree.components()::add);
        states.ifPresent(tree.components()::add);
        this.matcher = Matcher.writing(tree, splitter);
    }

    /** The number of a namespace, for keys; the first call for a namespace gives it one. */
    public int namespace(Namespace namespace) {
        return tree.namespaces().id(namespace);
    }

    /**
     * Finds the longest stored prefix of the key, in whole pages; a use of all nodes on its path. May split a node, so
     * that the prefix ends with one.
     */
    public void match(TokenKey key, MatchResult result) {
        tree.namespaces().require(key.namespace());
        guard.enterUse("match");
        try {
            matcher.match(key, result);
        } finally {
            guard.exitUse();
        }
    }

    /**
     * What {@link #match} would find, without a use and without a split: for routers and admission. The last node may be
     * longer than what matched; do not lock it. On the writer's thread; others take a {@link #reader}.
     */
    public void peek(TokenKey key, MatchResult result) {
        tree.namespaces().require(key.namespace());
        matcher.peek(key, result);
    }

    /** Stores the whole pages of the key with the insertion's values, and fills in its results. */
    public void insert(TokenKey key, Insertion<V> insertion) {
        tree.namespaces().require(key.namespace());
        guard.enter("insert");
        try {
            inserter.insert(key, insertion);
        } finally {
            guard.exit();
        }
    }

    /**
     * Stores what a running request computed since its last insert, at a cost that depends on the new part alone.
     *
     * @param node where the last insert ended; locked by the request, or the root
     * @param suffix the tokens after the node's end; with bigrams the node's last token comes first
     * @param insertion values and lengths are those of the suffix
     */
    public void append(int node, TokenKey suffix, Insertion<V> insertion) {
        requireNode(node);
        tree.namespaces().require(suffix.namespace());
        inspector.requireFollows(node, suffix);
        guard.enter("append");
        try {
            inserter.insertBelow(node, suffix, insertion);
        } finally {
            guard.exit();
        }
    }

    /**
     * A request stores what it has computed and goes on from there: an insert, and its lock moves to the end of it. In a
     * tree of full values the prompt is kept apart from the answer, one step higher in priority, so that an eviction can
     * take the answer alone.
     *
     * @param promptTokens how many of the key's tokens are the prompt's
     * @param node what the request has locked; it stays locked on failure
     * @param receipt of that lock
     * @return the receipt of the new lock, of {@link Insertion#node}
     */
    public int checkpoint(TokenKey key, Insertion<V> insertion, int promptTokens, int node, int receipt) {
        requireNode(node);
        insert(key, insertion);
        int prompt = units(promptTokens);
        if (tree.components().isEmpty() && prompt > 0 && prompt < units(key.length())) {
            insertPrompt(key, insertion, promptTokens, prompt);
        }
        unlock(node, receipt);
        return lock(insertion.node());
    }

    /** The tree has the prompt already: this cuts the leaf behind it and raises its priority. */
    private void insertPrompt(TokenKey key, Insertion<V> insertion, int tokens, int units) {
        Insertion<V> again = new Insertion<>(insertion.values())
                .priority(Math.addExact(insertion.priority(), 1))
                .protectedLength(units)
                .countedLength(units);
        insert(new TokenKey().set(key.namespace(), key.tokens(), tokens), again);
    }

    /**
     * Keeps the path from the node to the root on the device until {@link #unlock}, and with it the last window and the
     * node's state; locks add up.
     *
     * @return the receipt of the lock; of no use for a tree of full values
     */
    public int lock(int node) {
        requireNode(node);
        guard.enter("lock");
        try {
            tree.locks().lock(node);
            return tree.components().lock(node);
        } finally {
            guard.exit();
        }
    }

    /** Takes one lock of this node back; for trees of full values. */
    public void unlock(int node) {
        if (!tree.components().isEmpty()) {
            throw new IllegalStateException("a tree with components wants the receipt of the lock of node " + node);
        }
        unlock(node, 0);
    }

    /**
     * Takes one lock of this node back.
     *
     * @param receipt what {@link #lock} answered, or {@link #RELEASED}
     */
    public void unlock(int node, int receipt) {
        requireNode(node);
        guard.enter("unlock");
        try {
            if (receipt != RELEASED) {
                tree.components().unlock(node, receipt);
            }
            tree.locks().unlock(node);
        } finally {
            guard.exit();
        }
    }

    /**
     * Takes back what a lock keeps beside full values: the request has gone on beyond its prefix by a window.
     *
     * @return the receipt for {@link #unlock}
     */
    public int releaseComponents(int node, int receipt) {
        requireNode(node);
        guard.enter("releaseComponents");
        try {
            tree.components().unlock(node, receipt);
            return RELEASED;
        } finally {
            guard.exit();
        }
    }

    /**
     * Keeps the node's host copy until {@link #unlockHost}; its device slots may go.
     *
     * @return the receipt of the lock
     */
    public int lockHost(int node) {
        requireNode(node);
        guard.enter("lockHost");
        try {
            return tree.host().locks().lock(node);
        } finally {
            guard.exit();
        }
    }

    /** Takes one host lock of this node back. */
    public void unlockHost(int node, int receipt) {
        requireNode(node);
        guard.enter("unlockHost");
        try {
            tree.host().locks().unlock(node, receipt);
        } finally {
            guard.exit();
        }
    }

    /**
     * Evicts leaves from the device, in the policy's order, until so many units are free; the last victim may overshoot.
     *
     * @return units freed; less than asked for when all else is locked
     */
    public long evict(long units) {
        guard.enter("evict");
        try {
            return deviceEvictor.evict(units);
        } finally {
            guard.exit();
        }
    }

    /**
     * Evicts from the device until its allocator has so many free units.
     *
     * @return units freed
     */
    public long evictUntilFree(long freeUnits) {
        guard.enter("evictUntilFree");
        try {
            return deviceEvictor.evictUntilFree(
                    freeUnits, freeUnits - tree.room().freeUnits());
        } finally {
            guard.exit();
        }
    }

    /**
     * Evicts window values: leaves as a whole, of other nodes the window values alone.
     *
     * @return units of the window freed
     */
    public long evictWindow(long units) {
        return window.isPresent() ? evictComponent(window.get(), units) : 0;
    }

    /**
     * Evicts recurrent states: leaves as a whole, of other nodes the state alone.
     *
     * @return states freed
     */
    public long evictStates(long count) {
        return states.isPresent() ? evictComponent(states.get(), count) : 0;
    }

    /**
     * Evicts from the host tier.
     *
     * @return units freed
     */
    public long evictHost(long units) {
        guard.enter("evictHost");
        try {
            return hostEvictor.evict(units);
        } finally {
            guard.exit();
        }
    }

    /** Fetches what a match found on the host: the path up to {@link MatchResult#bestNode}. */
    public LoadBack loadBack(int node) {
        requireNode(node);
        guard.enter("loadBack");
        try {
            return loadBacks.start(node);
        } finally {
            guard.exit();
        }
    }

    /** Answer to {@link Transfers#write}. */
    public void writeDone(int node) {
        tree.stamp().begin();
        try {
            backups.done(node);
        } finally {
            tree.stamp().end();
        }
    }

    /** Answer to {@link Transfers#load}. */
    public void loadDone(int node) {
        tree.stamp().begin();
        try {
            loadBacks.done(node);
        } finally {
            tree.stamp().end();
        }
    }

    /** Opens a session, again if it is open or closed. Answers the generation that registrations must name. */
    public long openSession(String session) {
        guard.enter("openSession");
        try {
            return tree.sessions().open(session);
        } finally {
            guard.exit();
        }
    }

    /** The generation of the session, which is opened if it is not open. */
    public long ensureSession(String session) {
        guard.enter("ensureSession");
        try {
            return tree.sessions().ensure(session);
        } finally {
            guard.exit();
        }
    }

    /** The session was last seen at this node. Ignored for a closed session or another generation than the last. */
    public void registerSession(String session, long generation, int node) {
        requireNode(node);
        guard.enter("registerSession");
        try {
            tree.sessions().register(session, generation, node);
        } finally {
            guard.exit();
        }
    }

    /** Closes the session: its references are gone, late registrations are ignored until it is opened. */
    public void releaseSession(String session) {
        guard.enter("releaseSession");
        try {
            tree.sessions().release(session);
        } finally {
            guard.exit();
        }
    }

    /**
     * Forgets all nodes, locks, sessions and transfers at once. Values are not freed: the owners of the allocators reset
     * them too.
     */
    public void reset() {
        guard.enter("reset");
        try {
            tree.clear();
            backups.clear();
            loadBacks.clear();
        } finally {
            guard.exit();
        }
    }

    /** The events since the last call, oldest first; none when events are off. */
    public List<CacheEvent> drainEvents() {
        return tree.events().drain();
    }

    /** Units on the device that are under no lock. */
    public long evictableUnits() {
        return tree.residency().evictable();
    }

    /** Units on the device that are under a lock. */
    public long lockedUnits() {
        return tree.residency().locked();
    }

    /** Window units under no lock. */
    public long evictableWindowUnits() {
        return window.map(component -> component.held().evictable()).orElse(0L);
    }

    /** Window units under a lock. */
    public long lockedWindowUnits() {
        return window.map(component -> component.held().locked()).orElse(0L);
    }

    /** Recurrent states, locked ones included. */
    public long states() {
        return states.map(component ->
                        component.held().evictable() + component.held().locked())
                .orElse(0L);
    }

    /** The recurrent state at the node's end, or {@link Insertion#NO_STATE}. */
    public int state(int node) {
        requireNode(node);
        return states.map(component -> component.state(node)).orElse(Insertion.NO_STATE);
    }

    /** Nodes without the root. */
    public int size() {
        return tree.nodes().size();
    }

    /** Nodes that may be evicted from the device now. */
    public int deviceLeaves() {
        return tree.leaves().device().size();
    }

    /** Nodes that may be evicted from the host now. */
    public int hostLeaves() {
        return tree.leaves().host().size();
    }

    /** A reader for another thread, which may look into the tree while its one writer goes on. */
    public TreeReader reader() {
        return reader(() -> {});
    }

    TreeReader reader(Runnable beforeCheck) {
        return new TreeReader(tree, this::stats, beforeCheck);
    }

    /** All counts at once. */
    public TreeStats stats() {
        return new TreeStats(
                size(),
                evictableUnits(),
                lockedUnits(),
                deviceLeaves(),
                hostLeaves(),
                writesInFlight(),
                loadsInFlight(),
                tree.sessions().marks(),
                bytes());
    }

    /** Backups started and not done. */
    public int writesInFlight() {
        return backups.inFlight();
    }

    /** Loads started and not done. */
    public int loadsInFlight() {
        return loadBacks.inFlight();
    }

    /** Whole-page units of a key of so many tokens. */
    public int units(int tokens) {
        return tree.shape().units(tokens);
    }

    /** The parent of a node, {@link #ROOT} at the top. */
    public int parent(int node) {
        requireNode(node);
        return tree.nodes().parent(node);
    }

    /** The units that the node itself holds. */
    public int length(int node) {
        requireNode(node);
        return tree.nodes().length(node);
    }

    /** The node's namespace. */
    public int namespaceOf(int node) {
        requireNode(node);
        return tree.nodes().namespace(node);
    }

    /** Tokens from the root to the node's end; makes garbage. */
    public int[] path(int node) {
        requireNode(node);
        return inspector.path(node);
    }

    /** All nodes but the root, parents first, siblings by namespace and tokens; makes garbage. */
    public List<NodeInfo> dump() {
        return inspector.dump();
    }

    /** Heap bytes of nodes, tokens, edges and namespaces; without orders, sessions and the slot table. */
    public long bytes() {
        return tree.nodes().bytes()
                + tree.tokens().bytes()
                + tree.children().bytes()
                + tree.namespaces().bytes();
    }

    /**
     * Checks every invariant of the tree at a cost that grows with its size.
     *
     * @throws IllegalStateException naming the first broken one
     */
    public void sanityCheck() {
        new SanityCheck(tree).run(backups.inFlight(), loadBacks.inFlight());
    }

    private long evictComponent(NodeComponent<V> component, long units) {
        guard.enter("evict of a component");
        try {
            return deviceEvictor.evict(component, units);
        } finally {
            guard.exit();
        }
    }

    private void requireNode(int node) {
        if (!tree.nodes().isAlive(node)) {
            throw new IllegalArgumentException("node " + node + " is not in the tree");
        }
    }
}
