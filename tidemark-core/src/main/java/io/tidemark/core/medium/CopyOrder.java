package io.tidemark.core.medium;

import io.tidemark.index.policy.Policies;
import io.tidemark.index.policy.VictimOrder;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Which copy of a table goes next, and the facts that decide it. Keeps no order until {@link #track}. Guarded by the
 * lock of the table.
 */
final class CopyOrder {
    /** Members that one walk looks at: bounds the time under the lock when many may not go. */
    static final int WALK_SLICE = 1_024;

    /** The same for an order whose walks cannot go on where one ended. */
    private static final int WALK_MAX = 65_536;

    private final CopyFacts facts;
    private VictimOrder order = NoOrder.INSTANCE;
    private int bytesPerCopy;
    /** Read without the lock. */
    private volatile boolean knowsBlocksAgain;

    CopyOrder(CopyRows rows, int limit) {
        facts = new CopyFacts(rows, limit);
    }

    /**
     * Starts to keep an order.
     *
     * @param slots that there are so far
     * @param evictable which of them are members from the start; the longest unused one is the coldest
     */
    void track(String policy, int slots, IntPredicate evictable) {
        if (order != NoOrder.INSTANCE) {
            throw new IllegalStateException("an order is kept already; a medium has one");
        }
        if (Policies.asksForCreation(policy)) {
            facts.keepCreation();
        }
        if (Policies.asksForIdentity(policy)) {
            facts.keepIdentities();
            knowsBlocksAgain = true;
        }
        order = Policies.order(policy, facts);
        bytesPerCopy = Policies.bytesPerNode(policy);
        // Ticks of uses differ, and after a start they are dense: then each member finds its place without comparing
        // any.
        if (facts.ticks() <= 2L * slots) {
            addByTick(slots, evictable);
        } else {
            addSorted(slots, evictable);
        }
    }

    private void addByTick(int slots, IntPredicate evictable) {
        int[] byTick = new int[(int) facts.ticks() + 1];
        for (int slot = 0; slot < slots; slot++) {
            if (evictable.test(slot)) {
                byTick[(int) facts.lastAccess(slot)] = slot + 1;
            }
        }
        for (int slot : byTick) {
            if (slot > 0) {
                order.added(slot - 1);
            }
        }
    }

    private void addSorted(int slots, IntPredicate evictable) {
        long[] members = new long[slots];
        int count = 0;
        for (int slot = 0; slot < slots; slot++) {
            if (evictable.test(slot)) {
                members[count++] = (facts.lastAccess(slot) << Integer.SIZE) | slot;
            }
        }
        Arrays.sort(members, 0, count);
        for (int at = 0; at < count; at++) {
            order.added((int) members[at]);
        }
    }

    /** Whether an order is kept: else nothing is ever evicted from here. */
    boolean isKept() {
        return order != NoOrder.INSTANCE;
    }

    /** Heap that the order takes for each copy; 0 where none is kept. */
    int bytesPerCopy() {
        return bytesPerCopy;
    }

    /** Number of members. */
    int size() {
        return order.size();
    }

    /** A copy came to be; it is no member yet. */
    void start(int slot) {
        facts.start(slot);
    }

    /** Whether {@link #identify} makes a difference; needs no lock. */
    boolean knowsBlocksAgain() {
        return knowsBlocksAgain;
    }

    /** Says which block the copy is of; before it joins. */
    void identify(int slot, long identity) {
        facts.identify(slot, identity);
    }

    int priority(int slot) {
        return (int) facts.priority(slot);
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

    /** The copy was used with the one ahead of it ({@link VictimOrder#NONE}: alone), without being hit. */
    void place(int slot, int ahead) {
        facts.refresh(slot);
        order.touchedBehind(slot, ahead);
    }

    /** Uses of any copy of the table since this one was last used. */
    long usesSince(int slot) {
        return facts.usesSince(slot);
    }

    /**
     * Shows members, coldest first, until the visitor has enough (false) or a bounded number were shown.
     *
     * @param from the member to begin with; the coldest where it is {@link VictimOrder#NONE} or has left
     * @return the member to go on from, or {@link VictimOrder#NONE}
     */
    int walk(int from, IntPredicate wantsMore) {
        boolean anywhere = order.walksFromAnywhere();
        order.beginWalkAt(from);
        try {
            boolean more = true;
            for (int seen = 0; more && seen < (anywhere ? WALK_SLICE : WALK_MAX); seen++) {
                int slot = order.popNext();
                more = slot != VictimOrder.NONE && wantsMore.test(slot);
            }
            return anywhere ? order.popNext() : VictimOrder.NONE;
        } finally {
            order.endWalk();
        }
    }
}
