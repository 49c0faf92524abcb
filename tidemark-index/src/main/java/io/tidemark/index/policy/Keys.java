package io.tidemark.index.policy;

import java.util.function.IntToLongFunction;

/** The keys of the policies that need a heap, written over the owner's facts. */
public final class Keys {
    private Keys() {}

    /** Oldest use first. */
    public static KeyFunction lru(NodeFacts facts) {
        return one(facts::lastAccess);
    }

    /** Oldest creation first. */
    public static KeyFunction fifo(NodeFacts facts) {
        return one(facts::created);
    }

    /** Newest use first. */
    public static KeyFunction mru(NodeFacts facts) {
        return one(node -> -facts.lastAccess(node));
    }

    /** Newest creation first. */
    public static KeyFunction filo(NodeFacts facts) {
        return one(node -> -facts.created(node));
    }

    /** Fewest hits first, then the oldest use. */
    public static KeyFunction lfu(NodeFacts facts) {
        return two(facts::hits, facts::lastAccess);
    }

    /** Lowest priority first, then the oldest use. */
    public static KeyFunction priority(NodeFacts facts) {
        return two(facts::priority, facts::lastAccess);
    }

    /** Nodes with fewer hits than the threshold first (probation), then the oldest use. */
    public static KeyFunction slru(NodeFacts facts, long protectedFromHits) {
        return two(node -> facts.hits(node) >= protectedFromHits ? 1 : 0, facts::lastAccess);
    }

    /** A key of one part. */
    public static KeyFunction one(IntToLongFunction first) {
        return new Parts(1, first, first, first);
    }

    /** A key of two parts. */
    public static KeyFunction two(IntToLongFunction first, IntToLongFunction second) {
        return new Parts(2, first, second, second);
    }

    /**
     * Puts a part in front of a key of at most two parts, for example the number of sessions that refer to a node:
     * unreferenced nodes go first, then those with fewer references.
     */
    public static KeyFunction prefixed(IntToLongFunction front, KeyFunction key) {
        if (key.parts() > 2) {
            throw new IllegalArgumentException(
                    "a key of " + key.parts() + " parts has no room for one in front, max 2");
        }
        return new Parts(key.parts() + 1, front, key::first, key::second);
    }

    private record Parts(int parts, IntToLongFunction front, IntToLongFunction middle, IntToLongFunction back)
            implements KeyFunction {
        @Override
        public long first(int node) {
            return front.applyAsLong(node);
        }

        @Override
        public long second(int node) {
            return middle.applyAsLong(node);
        }

        @Override
        public long third(int node) {
            return back.applyAsLong(node);
        }
    }
}
