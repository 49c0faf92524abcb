package io.tidemark.index.prefix;

/**
 * The state of one tree, shared by the classes that implement its operations. Holds no logic of its own beyond putting
 * the parts together.
 *
 * @param <V> the values of a request
 */
final class TreeParts<V> {
    private final TreeOptions options;
    private final TreeServices<V> services;
    private final KeyShape shape;
    private final ChangeStamp stamp = new ChangeStamp();
    private final LogicalClock clock = new LogicalClock();
    private final Nodes nodes = new Nodes();
    private final Namespaces namespaces = new Namespaces();
    private final Slices tokens;
    private final Children children;
    private final Residency residency;
    private final PathIdentities identities;
    private final LeafSets leaves;
    private final PathLocks locks;
    private final HostCopies host;
    private final Sessions sessions;
    private final BlockEvents events;
    private final Components<V> components;

    /** How the orders are told of leaves; tests put themselves in between. */
    interface LeafSetsFactory {
        LeafSets create(Nodes nodes, TreeOrders orders, Duplicates duplicates);

        /** The list of nodes with both copies. */
        default Duplicates duplicates(Nodes nodes, HostFields fields) {
            return new Duplicates(nodes, fields);
        }

        /** The order of a component. */
        default ComponentOrder componentOrder() {
            return new ComponentOrder();
        }
    }

    TreeParts(TreeOptions options, TreeServices<V> services, LeafSetsFactory leafSets) {
        this.options = options;
        this.services = services;
        this.shape = new KeyShape(options.pageSize(), options.bigram());
        this.tokens = new Slices(1, shape.overlap());
        this.children = new Children(nodes, shape, tokens, options.expectedNodes());
        this.residency = new Residency(nodes);
        this.identities = new PathIdentities(nodes, tokens, options.policy());
        WritePolicy policy = options.host().policy();
        HostFields fields = new HostFields(nodes, policy);
        Duplicates duplicates = leafSets.duplicates(nodes, fields);
        this.leaves = leafSets.create(nodes, TreeOrders.of(options, nodes, identities), duplicates);
        this.locks = new PathLocks(nodes, residency, leaves);
        this.host = new HostCopies(
                nodes, services.host(), fields, new HostLocks(nodes, fields, leaves, policy), duplicates);
        this.sessions = new Sessions(options.sessions(), nodes, leaves);
        this.events = new BlockEvents(options, nodes, shape, tokens, namespaces);
        this.components = new Components<>(nodes);
    }

    TreeOptions options() {
        return options;
    }

    KeyShape shape() {
        return shape;
    }

    ChangeStamp stamp() {
        return stamp;
    }

    LogicalClock clock() {
        return clock;
    }

    Nodes nodes() {
        return nodes;
    }

    Namespaces namespaces() {
        return namespaces;
    }

    Slices tokens() {
        return tokens;
    }

    Children children() {
        return children;
    }

    Residency residency() {
        return residency;
    }

    PathIdentities identities() {
        return identities;
    }

    LeafSets leaves() {
        return leaves;
    }

    PathLocks locks() {
        return locks;
    }

    HostCopies host() {
        return host;
    }

    Sessions sessions() {
        return sessions;
    }

    BlockEvents events() {
        return events;
    }

    Components<V> components() {
        return components;
    }

    SlotTable<V> slots() {
        return services.slots();
    }

    DeviceRoom room() {
        return services.room();
    }

    Transfers transfers() {
        return services.transfers();
    }

    TreeListener listener() {
        return services.listener();
    }

    boolean isWriteBack() {
        return options.host().policy() == WritePolicy.WRITE_BACK;
    }

    /** Whole-page units that the node has in common with the key from unit {@code at} to {@code end}. */
    int commonUnits(int node, TokenKey key, int at, int end) {
        int limit = shape.tokens(Math.min(nodes.length(node), end - at));
        return shape.commonUnits(tokens.common(node, 0, key.tokens(), at, limit));
    }

    /** Empties everything; the clock goes on. */
    void clear() {
        nodes.clear();
        tokens.clear();
        children.clear();
        residency.clear();
        leaves.clear();
        host.tier().clear();
        host.duplicates().clear();
        sessions.clear();
        components.clear();
        events.cleared();
        namespaces.cleared();
        services.slots().clear();
    }
}
