package io.tidemark.core.medium;

import io.tidemark.core.medium.CopyLock.Held;
import io.tidemark.index.policy.VictimOrder;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The uses of the copies of one table, and who of them goes next. Which copies are members is decided by their state, in
 * {@link CopyTable}; this is where uses are told and victims are asked for.
 *
 * <p>Takes the lock of the table for each call, so that a call sees states and order as one. A handle whose generation is
 * past is of no effect here.
 */
public final class EvictionOrder {
    /** Walks of one call for offers at most. */
    private static final int WALK_SLICES = 64;

    private final CopyLock lock;
    private final CopyRows rows;
    private final CopySlots slots;
    private final CopyOrder order;
    private final long pageBytes;
    private final OfferWalk offerWalk = new OfferWalk();

    /** The order of a table, of which these are the parts. */
    EvictionOrder(CopyLock lock, CopyRows rows, CopySlots slots, CopyOrder order, long pageBytes) {
        this.lock = lock;
        this.rows = rows;
        this.slots = slots;
        this.order = order;
        this.pageBytes = pageBytes;
    }

    /**
     * Proposes victims, coldest first; frees nothing. Offers are hints: the free validates again. Looks at a bounded number
     * of members, and holds the lock for a slice of them at a time; see {@link OfferWalk} for where it begins.
     *
     * @param mayGo refuses copies (handles) that may not go now, for example leased ones. Runs under the lock of the
     *     table: it may not block, take locks or call back
     */
    public List<Offer<Long>> offers(OfferBudget budget, LongPredicate mayGo) {
        OfferList offers = new OfferList(budget, mayGo);
        OfferWalk.Start start = offerWalk.start();
        int at = start.from();
        int slices = 0;
        boolean more = true;
        while (more && offers.wantsMore() && slices < WALK_SLICES) {
            at = walk(at, offers);
            slices++;
            more = at != VictimOrder.NONE;
        }
        offerWalk.ended(start, slices, at);
        return offers.list();
    }

    private int walk(int from, OfferList offers) {
        try (Held _ = lock.hold()) {
            return order.walk(from, slot -> {
                offers.consider(slots.handle(slot), CopyTable.charge(rows.length(slot), pageBytes));
                return offers.wantsMore();
            });
        }
    }

    /** Whether an order is kept: else nothing is ever evicted from here. */
    public boolean isKept() {
        try (Held _ = lock.hold()) {
            return order.isKept();
        }
    }

    /** Copies that could be offered now; 0 when no order is kept. */
    public int size() {
        try (Held _ = lock.hold()) {
            return order.size();
        }
    }

    /** Heap that the order takes for each copy; 0 where none is kept. */
    public int bytesPerCopy() {
        try (Held _ = lock.hold()) {
            return order.bytesPerCopy();
        }
    }

    /** The copy was used: counts a hit and makes it the most recent. */
    public void touch(long copy) {
        try (Held _ = lock.hold()) {
            if (slots.isCurrent(copy)) {
                order.hit(CopySlots.slotOf(copy), VictimOrder.NONE);
            }
        }
    }

    /** The copy was used together with its parent in a chain: of equal recency it goes first. */
    public void touchBehind(long copy, long parentCopy) {
        try (Held _ = lock.hold()) {
            if (slots.isCurrent(copy)) {
                order.hit(
                        CopySlots.slotOf(copy),
                        slots.isCurrent(parentCopy) ? CopySlots.slotOf(parentCopy) : VictimOrder.NONE);
            }
        }
    }

    /** The copy goes before its parent in a chain, of equal recency; no hit. */
    public void placeBehind(long copy, long parentCopy) {
        try (Held _ = lock.hold()) {
            if (slots.isCurrent(copy) && slots.isCurrent(parentCopy)) {
                order.place(CopySlots.slotOf(copy), CopySlots.slotOf(parentCopy));
            }
        }
    }

    /** The copy counts as just used, without a hit: what was used with it goes before it. */
    public void refresh(long copy) {
        try (Held _ = lock.hold()) {
            if (slots.isCurrent(copy)) {
                order.place(CopySlots.slotOf(copy), VictimOrder.NONE);
            }
        }
    }

    /** Uses of any copy here since the last use of this one; {@code Long.MAX_VALUE} for a handle whose generation is past. */
    public long usesSince(long copy) {
        try (Held _ = lock.hold()) {
            return slots.isCurrent(copy) ? order.usesSince(CopySlots.slotOf(copy)) : Long.MAX_VALUE;
        }
    }

    /** Whether the policy knows blocks again, so that {@link #identify} makes a difference; takes no lock. */
    public boolean knowsBlocksAgain() {
        return order.knowsBlocksAgain();
    }

    /**
     * Says which block a copy is of, before it is committed.
     *
     * @param identity a hash of the block's key: the same whenever the block comes back
     */
    public void identify(long copy, long identity) {
        try (Held _ = lock.hold()) {
            if (slots.isCurrent(copy)) {
                order.identify(CopySlots.slotOf(copy), identity);
            }
        }
    }

    /** The priority that {@link CopyTable#describe} set; 0 for a handle whose generation is past. */
    public int priority(long copy) {
        try (Held _ = lock.hold()) {
            return slots.isCurrent(copy) ? order.priority(CopySlots.slotOf(copy)) : 0;
        }
    }
}
