package io.tidemark.index.prefix;

import io.tidemark.index.policy.RecencyList;
import io.tidemark.index.policy.RecencyRule;
import io.tidemark.index.policy.VictimOrder;

/** Least recently used first, over the nodes that hold values of one component; every call O(1). */
class ComponentOrder {
    private final RecencyList list = new RecencyList(RecencyRule.LRU);

    /** The order itself, for walks and checks. */
    VictimOrder list() {
        return list;
    }

    /** The node holds values now; it is the newest. */
    void held(int node) {
        list.added(node);
    }

    /** The node holds values no more. */
    void dropped(int node) {
        list.removed(node);
    }

    /** The node was used by itself; it is the newest. */
    void used(int node) {
        list.touched(node);
    }

    /** The node was used together with a deeper one, and goes just before it. */
    void usedBehind(int node, int deeper) {
        list.touchedBehind(node, deeper);
    }

    /** The prefix, which was part of the suffix, goes just before it; no use of either. */
    void split(int prefix, int suffix) {
        list.added(prefix);
        list.touchedBehind(prefix, suffix);
    }

    void clear() {
        list.clear();
    }
}
