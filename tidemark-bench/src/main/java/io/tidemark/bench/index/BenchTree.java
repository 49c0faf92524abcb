package io.tidemark.bench.index;

import io.tidemark.index.prefix.Insertion;
import io.tidemark.index.prefix.IntSlots;
import io.tidemark.index.prefix.MatchResult;
import io.tidemark.index.prefix.PrefixTree;
import io.tidemark.index.prefix.TokenKey;
import io.tidemark.index.prefix.TreeOptions;
import io.tidemark.index.prefix.TreeServices;

/** A prefix tree with its pool of slots and the reusable arguments of its calls. */
final class BenchTree {
    private final SlotStack pool;
    private final IntSlots slots;
    private final PrefixTree<int[]> tree;
    private final int[] tokens;
    private final int[] values;
    private final TokenKey key = new TokenKey();
    private final MatchResult match = new MatchResult();
    private final Insertion<int[]> insertion;

    BenchTree(TreeOptions options, int capacity, int longest) {
        pool = new SlotStack(capacity);
        slots = new IntSlots(pool);
        tree = new PrefixTree<>(options, TreeServices.deviceOnly(slots));
        tokens = new int[longest];
        values = new int[longest];
        insertion = new Insertion<>(values);
    }

    PrefixTree<int[]> tree() {
        return tree;
    }

    /** Where the next key's tokens are written. */
    int[] tokens() {
        return tokens;
    }

    long bytes() {
        return tree.bytes() + slots.bytes();
    }

    MatchResult match(int length) {
        tree.match(key.set(0, tokens, length), match);
        return match;
    }

    /** Takes slots for all tokens and inserts them; what the tree has comes back to the pool. */
    void insert(int length) {
        pool.allocate(values, 0, length);
        insertion.protectedLength(0);
        tree.insert(key.set(0, tokens, length), insertion);
    }

    /** What a request holds after admission: its lock, and slots for what did not match. */
    void admit(int length, Request request) {
        MatchResult found = match(length);
        tree.lock(found.deviceNode());
        request.admitted(tokens, length, found.deviceLength(), found.deviceNode());
        pool.allocate(request.values(), found.deviceLength(), length - found.deviceLength());
    }

    /** End of a request: its tokens go into the tree, its lock moves to their end and is released. */
    void finish(Request request) {
        request.insertion().protectedLength(request.matched());
        tree.insert(key.set(0, request.tokens(), request.length()), request.insertion());
        tree.lock(request.insertion().node());
        tree.unlock(request.node());
        tree.unlock(request.insertion().node());
    }
}
