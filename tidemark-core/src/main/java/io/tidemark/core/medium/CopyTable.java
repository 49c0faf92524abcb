package io.tidemark.core.medium;

import io.tidemark.index.policy.Policies;
import io.tidemark.index.policy.VictimOrder;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * State, facts and order of the copies in one medium: flat arrays, one row a slot, no object a copy.
 *
 * <p>A copy is named by its handle, slot in the low 32 bits and generation in the high 32. Generations start at 1, so
 * no handle is 0. The generation of a slot rises when its copy is freed, before slot and space are handed out again;
 * every method refuses a handle whose generation is past, by answering false, {@link CopyState#FREED} or 0.
 *
 * <p><b>Concurrency.</b> One lock, the order lock of the backend, guards words, facts, order and free slots, so each
 * call is atomic. Calls that change the state of a copy are made by the holder of the lock of its entry, which comes
 * before; the ledger's monitor comes after. Whenever the lock is free:
 * <ul>
 *   <li>exactly the COMMITTED copies without pins are members of the order (where one is kept);
 *   <li>the ledger's resident and doomed bytes are the sums over the copies in these states.
 * </ul>
 */
public final class CopyTable {
    /** Most pins on one copy; a pin beyond is refused. */
    public static final int PINS_MAX = CopyWord.PINS_MAX;

    /** No copy: no handle has this value. */
    static final long NO_COPY = 0;

    private static final int NO_SLOT = -1;
    private static final int NO_OWNER = -1;
    private static final long FREED_WORD = CopyWord.of(0, 0, CopyState.FREED);

    private final ReentrantLock lock = new ReentrantLock();
    private final Ledger ledger;
    private final long pageBytes;
    private final int limit;
    private final Longs words;
    private final Ints lengths;
    private final Ints owners;
    /** Where the bytes are, in the medium's terms; of a free slot: the next free slot. */
    private final Ints places;

    private final CopyOrder order;
    private int slotsUsed;
    private int freeSlot = NO_SLOT;
    private int count;
    private int generationFloor = 1;

    /**
     * Bytes charged for a block of this length: whole pages, and one at least, so that slots and the index's rows are
     * bounded by the capacity whatever the lengths are.
     */
    static long charge(long lengthBytes, long pageBytes) {
        return Math.max(1, Math.ceilDiv(lengthBytes, pageBytes)) * pageBytes;
    }

    /** An empty table for at most {@code limit} copies, charged to the ledger in whole pages. */
    CopyTable(Ledger ledger, long pageBytes, int limit) {
        this.ledger = ledger;
        this.pageBytes = pageBytes;
        this.limit = limit;
        words = new Longs(limit);
        lengths = new Ints(limit);
        owners = new Ints(limit);
        places = new Ints(limit);
        order = new CopyOrder(limit);
    }

    /**
     * Starts to keep an order, so that this medium can be evicted from. Copies that are there join it, the one
     * whose last use is longest ago first.
     *
     * @param policy one of {@link Policies#names}
     * @throws IllegalArgumentException for a policy that does not exist
     * @throws IllegalStateException when an order is kept already
     */
    public void trackOrder(String policy) {
        lock.lock();
        try {
            order.track(policy, IntStream.range(0, slotsUsed).filter(slot -> CopyWord.evictable(words.get(slot))));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Proposes victims, coldest first; frees nothing. Offers are hints: the free validates again.
     *
     * @param mayGo refuses copies (handles) that may not go now, for example leased ones. Runs under the lock of this
     *     table: it may not block, take locks or call back
     */
    public List<Offer<Long>> offers(OfferBudget budget, LongPredicate mayGo) {
        OfferList offers = new OfferList(budget, mayGo);
        lock.lock();
        try {
            if (offers.wantsMore()) {
                order.walk(slot -> {
                    offers.consider(handle(slot), bytesAt(slot));
                    return offers.wantsMore();
                });
            }
        } finally {
            lock.unlock();
        }
        return offers.list();
    }

    /** State of the copy; FREED for a handle whose generation is past. */
    public CopyState state(long copy) {
        lock.lock();
        try {
            return isCurrent(copy) ? CopyWord.state(wordOf(copy)) : CopyState.FREED;
        } finally {
            lock.unlock();
        }
    }

    /** Pins on the copy; 0 for a handle whose generation is past. */
    public int pins(long copy) {
        lock.lock();
        try {
            return isCurrent(copy) ? CopyWord.pins(wordOf(copy)) : 0;
        } finally {
            lock.unlock();
        }
    }

    /** Length of the block in bytes; 0 for a handle whose generation is past. */
    public long lengthBytes(long copy) {
        lock.lock();
        try {
            return isCurrent(copy) ? lengths.get(slotOf(copy)) : 0;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes charged for the copy: its length rounded up to pages, one at least; 0 for a handle whose generation is past. */
    public long allocatedBytes(long copy) {
        lock.lock();
        try {
            return isCurrent(copy) ? bytesAt(slotOf(copy)) : 0;
        } finally {
            lock.unlock();
        }
    }

    /** What {@link #describe} set as owner; -1 before that and for a handle whose generation is past. */
    public int owner(long copy) {
        lock.lock();
        try {
            return isCurrent(copy) ? owners.get(slotOf(copy)) : NO_OWNER;
        } finally {
            lock.unlock();
        }
    }

    /** Copies that are not FREED. */
    public int count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Copies that could be offered now; 0 when no order is kept. */
    public int evictable() {
        lock.lock();
        try {
            return order.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Tells whose copy this is and what its writer knows of it.
     *
     * @param owner the holder's own id, for example of the pool's entry
     * @param priority higher stays longer under the policy {@code priority}; clamped to -128 to 127
     * @return false when the handle's generation is past
     */
    public boolean describe(long copy, int owner, int priority, boolean incompleteTail) {
        lock.lock();
        try {
            if (!isCurrent(copy)) {
                return false;
            }
            int slot = slotOf(copy);
            owners.set(slot, owner);
            order.describe(slot, priority, incompleteTail);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Pins a findable copy: it keeps its bytes until {@link #unpin}, and is not offered.
     *
     * @return false when it is not COMMITTED or MOVING, or has {@link #PINS_MAX} pins
     */
    public boolean pin(long copy) {
        lock.lock();
        try {
            long word = isCurrent(copy) ? wordOf(copy) : FREED_WORD;
            if (!CopyWord.state(word).findable() || CopyWord.pins(word) == PINS_MAX) {
                return false;
            }
            order.leave(slotOf(copy));
            words.set(slotOf(copy), CopyWord.pinned(word));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes one pin back. The last one puts a COMMITTED copy back into the order as just used.
     *
     * @return true when the copy is DOOMED and this was its last pin: the caller must have it freed
     * @throws IllegalStateException when it has no pin
     */
    public boolean unpin(long copy) {
        lock.lock();
        try {
            long word = isCurrent(copy) ? wordOf(copy) : FREED_WORD;
            if (CopyWord.pins(word) == 0) {
                throw new IllegalStateException("unpin of a copy without pins: " + text(copy));
            }
            long now = CopyWord.unpinned(word);
            words.set(slotOf(copy), now);
            if (CopyWord.evictable(now)) {
                order.join(slotOf(copy));
            }
            return CopyWord.state(now) == CopyState.DOOMED && CopyWord.pins(now) == 0;
        } finally {
            lock.unlock();
        }
    }

    /** The copy was used: counts a hit and makes it the most recent. No-op for a handle whose generation is past. */
    public void touch(long copy) {
        lock.lock();
        try {
            if (isCurrent(copy)) {
                order.hit(slotOf(copy), VictimOrder.NONE);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The copy was used together with its parent in a chain: of equal recency it goes first. */
    public void touchBehind(long copy, long parentCopy) {
        lock.lock();
        try {
            if (isCurrent(copy)) {
                order.hit(slotOf(copy), isCurrent(parentCopy) ? slotOf(parentCopy) : VictimOrder.NONE);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Uses of any copy here since the last use of this one; {@code Long.MAX_VALUE} for a handle whose generation is past. */
    public long usesSince(long copy) {
        lock.lock();
        try {
            return isCurrent(copy) ? order.usesSince(slotOf(copy)) : Long.MAX_VALUE;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the copy may become the source of a move now. */
    public boolean movable(long copy) {
        lock.lock();
        try {
            return isCurrent(copy) && CopyWord.evictable(wordOf(copy));
        } finally {
            lock.unlock();
        }
    }

    /** Makes a {@link #movable} copy MOVING; it leaves the order. False, and nothing changes, when it is not. */
    public boolean beginMove(long copy) {
        lock.lock();
        try {
            if (!movable(copy)) {
                return false;
            }
            order.leave(slotOf(copy));
            setState(copy, CopyState.MOVING);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a move. Success dooms the copy (without pins the caller has it freed now, else the last unpin tells);
     * failure makes it COMMITTED again, as the coldest.
     *
     * @return false, and nothing changes, when the copy was doomed or freed meanwhile
     * @throws IllegalStateException when no move of this copy began
     */
    public boolean endMove(long copy, boolean success) {
        lock.lock();
        try {
            return switch (state(copy)) {
                case DOOMED, FREED -> false;
                case RESERVED, COMMITTED ->
                    throw new IllegalStateException("end of a move that did not begin: " + text(copy));
                case MOVING -> success ? doom(copy) : stay(copy);
            };
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes a findable copy DOOMED. Without pins the caller has it freed now, else the last unpin tells.
     *
     * @return false, and nothing changes, when it is not COMMITTED or MOVING
     */
    public boolean doom(long copy) {
        lock.lock();
        try {
            if (!state(copy).findable()) {
                return false;
            }
            order.leave(slotOf(copy));
            setState(copy, CopyState.DOOMED);
            ledger.doomed(allocatedBytes(copy));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a slot for a RESERVED copy whose bytes the ledger holds as reserved.
     *
     * @param place where its bytes are, in the medium's terms
     * @return its handle, or {@link #NO_COPY} when the table is full
     */
    long reserve(int lengthBytes, int place) {
        lock.lock();
        try {
            int slot = takeSlot();
            if (slot == NO_SLOT) {
                return NO_COPY;
            }
            count++;
            lengths.set(slot, lengthBytes);
            places.set(slot, place);
            owners.set(slot, NO_OWNER);
            order.start(slot);
            int past = CopyWord.generation(words.get(slot));
            int generation = past == 0 ? generationFloor : past;
            words.set(slot, CopyWord.of(generation, 0, CopyState.RESERVED));
            return handle(slot);
        } finally {
            lock.unlock();
        }
    }

    /** New slots begin with this generation, so that no handle of an earlier process comes again. */
    void startAtGeneration(int floor) {
        generationFloor = floor;
    }

    /**
     * Puts back a COMMITTED copy of an earlier process under its handle; the ledger holds its bytes as reserved. Only
     * before anything else happens in the table, then {@link #restored}.
     */
    void restore(long copy, int lengthBytes, int place) {
        int slot = slotOf(copy);
        slotsUsed = Math.max(slotsUsed, slot + 1);
        count++;
        lengths.set(slot, lengthBytes);
        places.set(slot, place);
        owners.set(slot, NO_OWNER);
        order.start(slot);
        words.set(slot, CopyWord.of((int) (copy >>> 32), 0, CopyState.COMMITTED));
        ledger.committed(bytesAt(slot));
    }

    /** All copies of an earlier process are back: the slots between them are free. */
    void restored() {
        for (int slot = slotsUsed - 1; slot >= 0; slot--) {
            if (words.get(slot) == 0) {
                places.set(slot, freeSlot);
                freeSlot = slot;
            }
        }
    }

    /** Makes a RESERVED copy COMMITTED; it joins the order. False, and nothing changes, when it is not RESERVED. */
    boolean commit(long copy) {
        lock.lock();
        try {
            if (state(copy) != CopyState.RESERVED) {
                return false;
            }
            setState(copy, CopyState.COMMITTED);
            ledger.committed(allocatedBytes(copy));
            order.join(slotOf(copy));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a RESERVED copy: its handle is past from here on. The caller gives pages and slot back, then the bytes.
     * False, and nothing changes, when it is not RESERVED.
     */
    boolean endReservation(long copy) {
        lock.lock();
        try {
            if (state(copy) != CopyState.RESERVED) {
                return false;
            }
            retireSlot(copy);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a COMMITTED or DOOMED copy without pins: its handle is past from here on, its bytes are doomed. The caller
     * gives pages and slot ({@link #recycle}) back, then the bytes.
     *
     * @return FREED, or why not: GONE, HELD
     */
    Reclaimable.Outcome retire(long copy) {
        lock.lock();
        try {
            boolean evictable = movable(copy);
            if (evictable) {
                doom(copy);
            }
            return switch (state(copy)) {
                case FREED -> Reclaimable.Outcome.GONE;
                case RESERVED, COMMITTED, MOVING -> Reclaimable.Outcome.HELD;
                case DOOMED -> {
                    if (pins(copy) > 0) {
                        yield Reclaimable.Outcome.HELD;
                    }
                    retireSlot(copy);
                    yield Reclaimable.Outcome.FREED;
                }
            };
        } finally {
            lock.unlock();
        }
    }

    /** Gives the slot of a retired copy back; before its bytes, so that whoever finds those free finds a slot too. */
    void recycle(long copy) {
        lock.lock();
        try {
            int slot = slotOf(copy);
            if (isCurrent(copy) || CopyWord.state(words.get(slot)) != CopyState.FREED) {
                throw new IllegalStateException("slot of a copy that was not retired: " + text(copy));
            }
            places.set(slot, freeSlot);
            freeSlot = slot;
            count--;
        } finally {
            lock.unlock();
        }
    }

    /** Where the bytes of a copy are; the caller holds the reservation, a pin, or has just retired it. */
    int place(long copy) {
        return places.get(slotOf(copy));
    }

    /** Length of a copy in bytes; the caller holds the reservation, a pin, or has just retired it. */
    int lengthHeld(long copy) {
        return lengths.get(slotOf(copy));
    }

    /** A move failed: the source stays. */
    private boolean stay(long copy) {
        setState(copy, CopyState.COMMITTED);
        if (pins(copy) == 0) {
            order.joinColdest(slotOf(copy));
        }
        return true;
    }

    private int takeSlot() {
        if (freeSlot != NO_SLOT) {
            int slot = freeSlot;
            freeSlot = places.get(slot);
            return slot;
        }
        return slotsUsed < limit ? slotsUsed++ : NO_SLOT;
    }

    private void retireSlot(long copy) {
        int generation = (int) (copy >>> 32) + 1;
        words.set(slotOf(copy), CopyWord.of(generation == 0 ? 1 : generation, 0, CopyState.FREED));
    }

    private void setState(long copy, CopyState state) {
        words.set(slotOf(copy), CopyWord.withState(wordOf(copy), state));
    }

    private boolean isCurrent(long copy) {
        int slot = slotOf(copy);
        if (slot < 0 || slot >= slotsUsed) {
            return false;
        }
        long word = words.get(slot);
        return CopyWord.generation(word) == (int) (copy >>> 32) && CopyWord.state(word) != CopyState.FREED;
    }

    private long wordOf(long copy) {
        return words.get(slotOf(copy));
    }

    private long handle(int slot) {
        return ((long) CopyWord.generation(words.get(slot)) << 32) | slot;
    }

    private static int slotOf(long copy) {
        return (int) copy;
    }

    private long bytesAt(int slot) {
        return charge(lengths.get(slot), pageBytes);
    }

    private String text(long copy) {
        return "slot " + slotOf(copy) + " generation " + (copy >>> 32) + " is " + state(copy) + " with " + pins(copy)
                + " pins";
    }
}
