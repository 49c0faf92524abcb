package io.tidemark.index.prefix;

/**
 * The fixed settings of a {@link PrefixTree}.
 *
 * @param pageSize units that are kept or dropped together, 1 or more
 * @param bigram keys are pairs of neighbouring tokens (EAGLE speculative decoding)
 * @param policy which leaf goes first
 * @param sessions nodes that sessions refer to go last
 * @param host the host tier's settings
 * @param events which hashes events carry
 * @param eventsMax events kept for {@link PrefixTree#drainEvents}; more are replaced by one that asks for a resync
 * @param rebuildEachWalk the same order at the cost of a full heap at each walk, to compare against
 * @param expectedNodes nodes to make room for at the start
 * @param components what nodes hold beside their full values; on the device only, without sessions
 */
public record TreeOptions(
        int pageSize,
        boolean bigram,
        TreePolicy policy,
        boolean sessions,
        HostOptions host,
        EventHashes events,
        int eventsMax,
        boolean rebuildEachWalk,
        int expectedNodes,
        ComponentOptions components) {
    /** Page size 1, LRU, device tier only. */
    public static final TreeOptions DEFAULT = new TreeOptions(
            1,
            false,
            new TreePolicy.Lru(),
            false,
            HostOptions.NONE,
            EventHashes.OFF,
            65_536,
            false,
            1_024,
            ComponentOptions.NONE);

    /** Checks the numbers. */
    public TreeOptions {
        if (pageSize < 1 || eventsMax < 1 || expectedNodes < 0) {
            throw new IllegalArgumentException(
                    "page size and events must be at least 1, expected nodes at least 0, got " + pageSize + ", "
                            + eventsMax + ", " + expectedNodes);
        }
        if (policy.remembers() && (sessions || rebuildEachWalk)) {
            throw new IllegalArgumentException(
                    "the policy " + policy + " goes neither with sessions nor with a heap rebuilt" + " at each walk");
        }
        if (components.any() && (sessions || host.policy() != WritePolicy.NONE)) {
            throw new IllegalArgumentException("a window or states have no host tier and no sessions: got " + components
                    + " with host policy " + host.policy() + " and sessions " + sessions);
        }
    }

    /** These options with another page size. */
    public TreeOptions withPageSize(int value) {
        return new TreeOptions(
                value, bigram, policy, sessions, host, events, eventsMax, rebuildEachWalk, expectedNodes, components);
    }

    /** These options with bigram keys or without. */
    public TreeOptions withBigram(boolean value) {
        return new TreeOptions(
                pageSize, value, policy, sessions, host, events, eventsMax, rebuildEachWalk, expectedNodes, components);
    }

    /** These options with another policy. */
    public TreeOptions withPolicy(TreePolicy value) {
        return new TreeOptions(
                pageSize, bigram, value, sessions, host, events, eventsMax, rebuildEachWalk, expectedNodes, components);
    }

    /** These options with sessions in the key or without. */
    public TreeOptions withSessions(boolean value) {
        return new TreeOptions(
                pageSize, bigram, policy, value, host, events, eventsMax, rebuildEachWalk, expectedNodes, components);
    }

    /** These options with another host tier. */
    public TreeOptions withHost(HostOptions value) {
        return new TreeOptions(
                pageSize,
                bigram,
                policy,
                sessions,
                value,
                events,
                eventsMax,
                rebuildEachWalk,
                expectedNodes,
                components);
    }

    /** These options with other events. */
    public TreeOptions withEvents(EventHashes value) {
        return new TreeOptions(
                pageSize, bigram, policy, sessions, host, value, eventsMax, rebuildEachWalk, expectedNodes, components);
    }

    /** These options with another bound on queued events. */
    public TreeOptions withEventsMax(int value) {
        return new TreeOptions(
                pageSize, bigram, policy, sessions, host, events, value, rebuildEachWalk, expectedNodes, components);
    }

    /** These options with the old cost of a walk or the new. */
    public TreeOptions withRebuildEachWalk(boolean value) {
        return new TreeOptions(
                pageSize, bigram, policy, sessions, host, events, eventsMax, value, expectedNodes, components);
    }

    /** These options with room for so many nodes. */
    public TreeOptions withExpectedNodes(int value) {
        return new TreeOptions(
                pageSize, bigram, policy, sessions, host, events, eventsMax, rebuildEachWalk, value, components);
    }

    /** These options with other components. */
    public TreeOptions withComponents(ComponentOptions value) {
        return new TreeOptions(
                pageSize, bigram, policy, sessions, host, events, eventsMax, rebuildEachWalk, expectedNodes, value);
    }
}
