package io.tidemark.core.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Recency of chains: of equal recency the tail goes before its head. A block whose parent was used just before it goes
 * directly behind its parent in the order. Otherwise it pulls the blocks before it along, from its parent up to the root,
 * at most {@value #DEPTH} of them.
 *
 * <p>Takes the entry lock of one block of the chain at a time, and none while it touches.
 */
final class Chains {
    private static final int DEPTH = 64;
    /** A parent counts as used just before for this many uses at most... */
    private static final long RECENT_USES = 4_096;
    /** ...and for this part of the copies that may go, so that a small backend keeps a strict order. */
    private static final int RECENT_PART = 16;

    /** The entry of a block's parent, and the tag by which it is still that entry. */
    record Link(int entry, short tag) {}

    private final EntryIndex index;
    private final Entries entries;

    Chains(EntryIndex index, Entries entries) {
        this.index = index;
        this.entries = entries;
    }

    /** A link to the block with this key, if it is there. */
    Optional<Link> link(BlockKey key) {
        long hash = index.hash(key);
        EntryStripe stripe = index.stripe(hash);
        stripe.lock.lock();
        try {
            return entries.find(stripe, hash, key).map(entry -> new Link(entry.id(), entries.tag(entry)));
        } finally {
            stripe.lock.unlock();
        }
    }

    /** The copy came to be just now, which is no hit: the chain above it was used, and it goes before its parent. */
    void arrived(Backend backend, long copy, Optional<Link> parent) {
        if (parent.isPresent()) {
            List<Long> above = new ArrayList<>();
            Optional<Link> next = step(backend, parent.get(), above);
            if (!above.isEmpty() && recent(backend, above.getFirst())) {
                backend.copies().order().placeBehind(copy, above.getFirst());
                return;
            }
            touch(backend, above, next);
        }
    }

    /** The copy was used: so was the chain above it. */
    void used(Backend backend, long copy, Optional<Link> parent) {
        if (parent.isEmpty()) {
            backend.copies().order().touch(copy);
            return;
        }
        List<Long> above = new ArrayList<>();
        Optional<Link> next = step(backend, parent.get(), above);
        if (!above.isEmpty() && recent(backend, above.getFirst())) {
            backend.copies().order().touchBehind(copy, above.getFirst());
            return;
        }
        backend.copies().order().touch(copy);
        touch(backend, above, next);
    }

    /** Touches a chain upwards: the copies found so far, and what is above them. */
    private void touch(Backend backend, List<Long> above, Optional<Link> rest) {
        Optional<Link> next = rest;
        while (next.isPresent() && above.size() < DEPTH) {
            next = step(backend, next.get(), above);
        }
        above.forEach(backend.copies().order()::touch);
    }

    private static boolean recent(Backend backend, long copy) {
        long uses = Math.clamp(backend.copies().order().size() / RECENT_PART, 1, RECENT_USES);
        return backend.copies().order().usesSince(copy) <= uses;
    }

    /** Adds the copies of one block in this backend; answers the link to the block above. */
    private Optional<Link> step(Backend backend, Link link, List<Long> above) {
        EntryStripe stripe = index.stripeOf(link.entry());
        stripe.lock.lock();
        try {
            Optional<Entry> entry = entries.linked(link);
            entry.ifPresent(found -> entries.copiesIn(found, backend, above));
            return entry.flatMap(entries::parent);
        } finally {
            stripe.lock.unlock();
        }
    }
}
