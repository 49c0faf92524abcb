package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Keeps the page hashes of every node and turns what happens to nodes into events. Does nothing when events are off;
 * makes garbage when they are on.
 */
final class BlockEvents {
    private final EventHashes rule;
    private final Nodes nodes;
    private final KeyShape shape;
    private final Slices tokens;
    private final Namespaces namespaces;
    private final HashChain chain;
    private final EventQueue queue;
    private final Slices digests = new Slices(HashChain.DIGEST_INTS, 0);
    private final Map<Integer, Optional<byte[]>> seeds = new HashMap<>();

    BlockEvents(TreeOptions options, Nodes nodes, KeyShape shape, Slices tokens, Namespaces namespaces) {
        this.rule = options.events();
        this.nodes = nodes;
        this.shape = shape;
        this.tokens = tokens;
        this.namespaces = namespaces;
        this.chain = new HashChain(shape);
        this.queue = new EventQueue(options.eventsMax());
        cleared();
    }

    /** Computes the page hashes of a new leaf, which has its tokens and its parent. */
    void hash(int node) {
        if (rule == EventHashes.OFF) {
            return;
        }
        startAfter(nodes.parent(node), nodes.namespace(node));
        int pages = pages(node);
        int[] hashes = new int[pages * HashChain.DIGEST_INTS];
        for (int page = 0; page < pages; page++) {
            pageTokens(node, page).forEach(chain::token);
            chain.finish(hashes, page * HashChain.DIGEST_INTS);
        }
        digests.store(node, hashes, 0, pages);
    }

    void split(int prefix, int suffix, int at) {
        if (rule != EventHashes.OFF) {
            digests.split(prefix, suffix, at / shape.pageSize());
        }
    }

    /** The node leaves the tree. */
    void forget(int node) {
        if (rule != EventHashes.OFF) {
            digests.release(node, pages(node));
        }
    }

    /** The node's blocks are on the medium now. */
    void stored(int node, Medium medium) {
        if (rule == EventHashes.OFF) {
            return;
        }
        List<Integer> ids = new ArrayList<>();
        for (int page = 0; page < pages(node); page++) {
            ids.addAll(pageTokens(node, page));
        }
        queue.stored(new CacheEvent.BlockStored(
                hashes(node),
                hashBefore(node),
                ids,
                shape.pageSize(),
                medium,
                namespaces.get(nodes.namespace(node)).salt()));
    }

    /** The node's blocks are no longer on the medium. */
    void removed(int node, Medium medium) {
        if (rule != EventHashes.OFF) {
            queue.removed(hashes(node), medium);
        }
    }

    /** The tree is empty. */
    void cleared() {
        digests.clear();
        if (rule != EventHashes.OFF) {
            queue.cleared();
        }
    }

    List<CacheEvent> drain() {
        return queue.drain();
    }

    private void startAfter(int parent, int namespace) {
        if (parent == Nodes.ROOT) {
            if (seeds.size() >= Namespaces.IDLE_MAX) {
                seeds.clear();
            }
            seeds.computeIfAbsent(namespace, id -> HashChain.seed(namespaces.get(id), rule))
                    .ifPresentOrElse(chain::start, chain::start);
            return;
        }
        int[] last = new int[HashChain.DIGEST_INTS];
        int index = (pages(parent) - 1) * HashChain.DIGEST_INTS;
        digests.copyOut(parent, index, last, 0, last.length);
        chain.start(last, 0);
    }

    private OptionalLong hashBefore(int node) {
        int parent = nodes.parent(node);
        return parent == Nodes.ROOT ? OptionalLong.empty() : OptionalLong.of(hash(parent, pages(parent) - 1));
    }

    private List<Long> hashes(int node) {
        List<Long> hashes = new ArrayList<>();
        for (int page = 0; page < pages(node); page++) {
            hashes.add(hash(node, page));
        }
        return hashes;
    }

    /** The hash that events carry: the first eight bytes of the digest, big endian. */
    private long hash(int node, int page) {
        int at = page * HashChain.DIGEST_INTS;
        return (long) digests.get(node, at) << Integer.SIZE | Integer.toUnsignedLong(digests.get(node, at + 1));
    }

    private List<Integer> pageTokens(int node, int page) {
        List<Integer> ids = new ArrayList<>();
        int first = page * shape.pageSize();
        for (int unit = first; unit < first + shape.pageSize(); unit++) {
            ids.add(tokens.get(node, unit));
            if (shape.bigram()) {
                ids.add(tokens.get(node, unit + 1));
            }
        }
        return ids;
    }

    private int pages(int node) {
        return nodes.length(node) / shape.pageSize();
    }
}
