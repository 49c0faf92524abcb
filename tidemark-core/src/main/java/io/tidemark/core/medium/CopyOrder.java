package io.tidemark.core.medium;

import io.tidemark.index.policy.Keys;
import io.tidemark.index.policy.LazyHeap;
import io.tidemark.index.policy.Policies;
import io.tidemark.index.policy.VictimOrder;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Which copy of a table goes next, and the facts that decide it. Keeps no order until {@link #track}. Guarded by the
 * lock of the table.
 */
final class CopyOrder {
    /** How many members one walk looks at: bounds the time under the lock when many are leased. */
    static final int WALK_MAX = 65_536;

    private final CopyFacts facts;
    private VictimOrder order = NoOrder.INSTANCE;

    CopyOrder(CopyRows rows, int limit) {
        facts = new CopyFacts(rows, limit);
    }

    /**
     * Starts to keep an order.
     *
     * @param evictable the slots that are members from the start; the longest unused one is the coldest
     */
    void track(String policy, IntStream evictable) {
        if (order != NoOrder.INSTANCE) {
            throw new IllegalStateException("an order is kept already; a medium has one");
        }
        order = orderOf(policy);
        evictable
                .mapToLong(slot -> (facts.lastAccess(slot) << Integer.SIZE) | slot)
                .sorted()
                .forEach(packed -> order.added((int) packed));
    }

    /** Number of members. */
    int size() {
        return order.size();
    }

    /** A copy came to be; it is no member yet. */
    void start(int slot) {
        facts.start(slot);
    }

    void describe(int slot, int priority, boolean incompleteTail) {
        facts.describe(slot, priority, incompleteTail);
        order.touched(slot);
    }

    /** The copy may be evicted from now on, and counts as just used. */
    void join(int slot) {
        facts.refresh(slot);
        order.added(slot);
    }

    /** The copy may be evicted again, before all others: it was about to go. */
    void joinColdest(int slot) {
        order.addedColdest(slot);
    }

    void leave(int slot) {
        order.removed(slot);
    }

    /** The copy was hit, together with the one ahead of it in its chain ({@link VictimOrder#NONE}: alone). */
    void hit(int slot, int ahead) {
        facts.hit(slot);
        if (ahead == VictimOrder.NONE) {
            order.touched(slot);
        } else {
            order.touchedBehind(slot, ahead);
        }
    }

    /** The copy was used with the one ahead of it, without being hit. */
    void place(int slot, int ahead) {
        facts.refresh(slot);
        order.touchedBehind(slot, ahead);
    }

    /** Uses of any copy of the table since this one was last used. */
    long usesSince(int slot) {
        return facts.usesSince(slot);
    }

    /** Shows members, coldest first, until the visitor has enough (false) or {@link #WALK_MAX} were shown. */
    void walk(IntPredicate wantsMore) {
        order.beginWalk();
        try {
            for (int seen = 0; seen < WALK_MAX; seen++) {
                int slot = order.popNext();
                if (slot == VictimOrder.NONE || !wantsMore.test(slot)) {
                    return;
                }
            }
        } finally {
            order.endWalk();
        }
    }

    /** Orders by creation go by the tick of the creation: a pin takes a copy out of the order and puts it back. */
    private VictimOrder orderOf(String policy) {
        return switch (policy) {
            case "fifo" -> {
                facts.keepCreation();
                yield new LazyHeap(Keys.fifo(facts));
            }
            case "filo" -> {
                facts.keepCreation();
                yield new LazyHeap(Keys.filo(facts));
            }
            default -> Policies.order(policy, facts);
        };
    }
}
