package io.tidemark.core.medium;

import io.tidemark.core.medium.CopyLock.Held;
import io.tidemark.index.policy.Policies;
import io.tidemark.index.policy.VictimOrder;

/**
 * States and pins of the copies in one medium, and what is known of each: flat arrays, one row a slot, no object a copy.
 * Its states decide who is a member of the {@linkplain #order order}.
 *
 * <p>A copy is named by its handle, slot in the low 32 bits and generation in the high 32. Generations start at 1, so
 * no handle is 0. The generation of a slot rises when its copy is freed, before slot and space are handed out again;
 * every method refuses a handle whose generation is past, by answering false, {@link CopyState#FREED} or 0.
 *
 * <p><b>Concurrency.</b> One lock ({@link CopyLock}) guards words, facts, order and free slots, here and in
 * {@link EvictionOrder}, so each call is atomic. Calls that change the state of a copy are made by the holder of the lock of its entry, which comes
 * before; the ledger's monitor comes after. Whenever the lock is free:
 * <ul>
 *   <li>exactly the COMMITTED copies without pins are members of the order (where one is kept);
 *   <li>the ledger's resident and doomed bytes are the sums over the copies in these states;
 *   <li>pinned bytes are the sum over the copies that have pins, of any state;
 *   <li>a slot is in use by one copy that is not FREED, or in the list of free slots, or retired and not recycled yet.
 * </ul>
 */
public final class CopyTable {
    /** Most pins on one copy; a pin beyond is refused. */
    public static final int PINS_MAX = CopyWord.PINS_MAX;

    /** No copy: no handle has this value. */
    static final long NO_COPY = 0;

    private static final int NO_OWNER = -1;
    private static final long FREED_WORD = CopyWord.of(0, 0, CopyState.FREED);

    private final CopyLock lock = new CopyLock();
    private final Ledger ledger;
    private final long pageBytes;
    private final CopyRows rows;
    private final CopySlots slots;
    private final CopyOrder order;
    private final EvictionOrder evictionOrder;
    private long pinnedBytes = 0;

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
        rows = new CopyRows(limit);
        slots = new CopySlots(rows, limit);
        order = new CopyOrder(rows, limit);
        evictionOrder = new EvictionOrder(lock, rows, slots, order, pageBytes);
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
        try (Held _ = lock.hold()) {
            order.track(policy, slots.used(), slot -> CopyWord.evictable(rows.word(slot)));
        }
    }

    /** Who goes next, and how uses are told. */
    public EvictionOrder order() {
        return evictionOrder;
    }

    /** State of the copy; FREED for a handle whose generation is past. */
    public CopyState state(long copy) {
        try (Held _ = lock.hold()) {
            return slots.isCurrent(copy) ? CopyWord.state(wordOf(copy)) : CopyState.FREED;
        }
    }

    /** Pins on the copy; 0 for a handle whose generation is past. */
    public int pins(long copy) {
        try (Held _ = lock.hold()) {
            return slots.isCurrent(copy) ? CopyWord.pins(wordOf(copy)) : 0;
        }
    }

    /** Length of the block in bytes; 0 for a handle whose generation is past. */
    public long lengthBytes(long copy) {
        try (Held _ = lock.hold()) {
            return slots.isCurrent(copy) ? rows.length(CopySlots.slotOf(copy)) : 0;
        }
    }

    /** Bytes charged for the copy: its length rounded up to pages, one at least; 0 for a handle whose generation is past. */
    public long allocatedBytes(long copy) {
        try (Held _ = lock.hold()) {
            return slots.isCurrent(copy) ? bytesAt(CopySlots.slotOf(copy)) : 0;
        }
    }

    /** What {@link #describe} set as owner; -1 before that and for a handle whose generation is past. */
    public int owner(long copy) {
        try (Held _ = lock.hold()) {
            return slots.isCurrent(copy) ? rows.owner(CopySlots.slotOf(copy)) : NO_OWNER;
        }
    }

    /** Copies that are not FREED. */
    public int count() {
        try (Held _ = lock.hold()) {
            return slots.taken();
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
        try (Held _ = lock.hold()) {
            if (!slots.isCurrent(copy)) {
                return false;
            }
            int slot = CopySlots.slotOf(copy);
            rows.setOwnerAndLength(slot, owner, rows.length(slot));
            order.describe(slot, priority, incompleteTail);
            return true;
        }
    }

    /** As {@link #pin(long, long)}, however much is pinned. */
    public boolean pin(long copy) {
        return pin(copy, Long.MAX_VALUE);
    }

    /**
     * Tells whose a copy of an earlier process is; its place in the order stays. Only before the table is used, from any
     * number of threads for different copies.
     */
    public void adopted(long copy, int owner) {
        int slot = CopySlots.slotOf(copy);
        rows.setOwnerAndLength(slot, owner, rows.length(slot));
    }

    /**
     * Pins a findable copy: it keeps its bytes until {@link #unpin}, and is not offered.
     *
     * @param pinnedMost pinned bytes of the whole table at most, unless nothing else is pinned
     * @return false when it is not COMMITTED or MOVING, has {@link #PINS_MAX} pins, or is too much
     */
    public boolean pin(long copy, long pinnedMost) {
        try (Held _ = lock.hold()) {
            long word = slots.isCurrent(copy) ? wordOf(copy) : FREED_WORD;
            if (!CopyWord.state(word).findable() || CopyWord.pins(word) == PINS_MAX) {
                return false;
            }
            int slot = CopySlots.slotOf(copy);
            if (CopyWord.pins(word) == 0) {
                long bytes = bytesAt(slot);
                if (pinnedBytes > 0 && bytes > pinnedMost - pinnedBytes) {
                    return false;
                }
                pinnedBytes += bytes;
                order.leave(slot);
            }
            rows.setWord(slot, CopyWord.pinned(word));
            return true;
        }
    }

    /** Allocated bytes of the copies that have pins. */
    public long pinnedBytes() {
        try (Held _ = lock.hold()) {
            return pinnedBytes;
        }
    }

    /**
     * Takes one pin back. The last one puts a COMMITTED copy back into the order as just used.
     *
     * @return true when the copy is DOOMED and this was its last pin: the caller must have it freed
     * @throws IllegalStateException when it has no pin
     */
    public boolean unpin(long copy) {
        return unpin(copy, false);
    }

    /** As {@link #unpin}, and counts a hit, as {@link EvictionOrder#touch} does. */
    public boolean unpinUsed(long copy) {
        return unpin(copy, true);
    }

    private boolean unpin(long copy, boolean hit) {
        try (Held _ = lock.hold()) {
            long word = slots.isCurrent(copy) ? wordOf(copy) : FREED_WORD;
            if (CopyWord.pins(word) == 0) {
                throw new IllegalStateException("unpin of a copy without pins: " + text(copy));
            }
            int slot = CopySlots.slotOf(copy);
            long now = CopyWord.unpinned(word);
            rows.setWord(slot, now);
            if (CopyWord.pins(now) == 0) {
                pinnedBytes -= bytesAt(slot);
            }
            if (hit) {
                order.hit(slot, VictimOrder.NONE);
            }
            if (CopyWord.evictable(now)) {
                order.join(slot);
            }
            return CopyWord.state(now) == CopyState.DOOMED && CopyWord.pins(now) == 0;
        }
    }

    /** Whether the copy may become the source of a move now. */
    public boolean movable(long copy) {
        try (Held _ = lock.hold()) {
            return slots.isCurrent(copy) && CopyWord.evictable(wordOf(copy));
        }
    }

    /** Makes a {@link #movable} copy MOVING; it leaves the order. False, and nothing changes, when it is not. */
    public boolean beginMove(long copy) {
        try (Held _ = lock.hold()) {
            if (!movable(copy)) {
                return false;
            }
            order.leave(CopySlots.slotOf(copy));
            setState(copy, CopyState.MOVING);
            return true;
        }
    }

    /**
     * Ends a move that failed: the copy is COMMITTED again, as the coldest. One that succeeded ends with {@link #doom}.
     *
     * @return false, and nothing changes, when the copy was doomed or freed meanwhile
     * @throws IllegalStateException when no move of this copy began
     */
    public boolean endMove(long copy) {
        try (Held _ = lock.hold()) {
            return switch (state(copy)) {
                case DOOMED, FREED -> false;
                case RESERVED, COMMITTED ->
                    throw new IllegalStateException("end of a move that did not begin: " + text(copy));
                case MOVING -> stay(copy);
            };
        }
    }

    /**
     * Makes a findable copy DOOMED. Without pins the caller has it freed now, else the last unpin tells.
     *
     * @return false, and nothing changes, when it is not COMMITTED or MOVING
     */
    public boolean doom(long copy) {
        try (Held _ = lock.hold()) {
            if (!state(copy).findable()) {
                return false;
            }
            order.leave(CopySlots.slotOf(copy));
            setState(copy, CopyState.DOOMED);
            ledger.doomed(allocatedBytes(copy));
            return true;
        }
    }

    /**
     * Takes a slot for a RESERVED copy whose bytes the ledger holds as reserved.
     *
     * @param place where its bytes are, in the medium's terms
     * @return its handle, or {@link #NO_COPY} when the table is full
     */
    long reserve(int lengthBytes, int place) {
        try (Held _ = lock.hold()) {
            int slot = slots.take();
            if (slot == CopySlots.NONE) {
                return NO_COPY;
            }
            rows.setOwnerAndLength(slot, NO_OWNER, lengthBytes);
            rows.setPlace(slot, place);
            order.start(slot);
            return slots.handle(slot);
        }
    }

    /** New slots begin with this generation, so that no handle of an earlier process comes again. */
    void startAtGeneration(int floor) {
        slots.startAtGeneration(floor);
    }

    /**
     * Puts back a COMMITTED copy of an earlier process under its handle; the caller moves its bytes in the ledger. Only
     * before anything else happens in the table, then {@link #restored}.
     */
    void restore(long copy, int lengthBytes, int place) {
        slots.restore(copy);
        int slot = CopySlots.slotOf(copy);
        rows.setOwnerAndLength(slot, NO_OWNER, lengthBytes);
        rows.setPlace(slot, place);
        order.start(slot);
    }

    /** All copies of an earlier process are back: the slots between them are free. */
    void restored() {
        slots.restored();
    }

    /** Makes a RESERVED copy COMMITTED; it joins the order. False, and nothing changes, when it is not RESERVED. */
    boolean commit(long copy) {
        try (Held _ = lock.hold()) {
            if (state(copy) != CopyState.RESERVED) {
                return false;
            }
            setState(copy, CopyState.COMMITTED);
            ledger.committed(allocatedBytes(copy));
            order.join(CopySlots.slotOf(copy));
            return true;
        }
    }

    /**
     * Ends a RESERVED copy: its handle is past from here on. The caller gives pages and slot back, then the bytes.
     * False, and nothing changes, when it is not RESERVED.
     */
    boolean endReservation(long copy) {
        try (Held _ = lock.hold()) {
            if (state(copy) != CopyState.RESERVED) {
                return false;
            }
            slots.retire(copy);
            return true;
        }
    }

    /**
     * Ends a COMMITTED or DOOMED copy without pins: its handle is past from here on, its bytes are doomed. The caller
     * gives pages and slot ({@link #recycle}) back, then the bytes.
     *
     * @return FREED, or why not: GONE, HELD
     */
    Reclaimable.Outcome retire(long copy) {
        try (Held _ = lock.hold()) {
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
                    slots.retire(copy);
                    yield Reclaimable.Outcome.FREED;
                }
            };
        }
    }

    /** Gives the slot of a retired copy back; before its bytes, so that whoever finds those free finds a slot too. */
    void recycle(long copy) {
        try (Held _ = lock.hold()) {
            int slot = CopySlots.slotOf(copy);
            if (slots.isCurrent(copy) || CopyWord.state(rows.word(slot)) != CopyState.FREED) {
                throw new IllegalStateException("slot of a copy that was not retired: " + text(copy));
            }
            slots.recycle(slot);
        }
    }

    /** Whether the handle is not past, for who holds the copy: takes no lock. */
    boolean isHeld(long copy) {
        return slots.isHeld(copy);
    }

    /** Where the bytes of a copy are; the caller holds the reservation, a pin, or has just retired it. */
    int place(long copy) {
        return rows.place(CopySlots.slotOf(copy));
    }

    /** Length of a copy in bytes; the caller holds the reservation, a pin, or has just retired it. */
    public int lengthHeld(long copy) {
        return rows.length(CopySlots.slotOf(copy));
    }

    /** A move failed: the source stays. */
    private boolean stay(long copy) {
        setState(copy, CopyState.COMMITTED);
        if (pins(copy) == 0) {
            order.joinColdest(CopySlots.slotOf(copy));
        }
        return true;
    }

    private void setState(long copy, CopyState state) {
        rows.setWord(CopySlots.slotOf(copy), CopyWord.withState(wordOf(copy), state));
    }

    private long wordOf(long copy) {
        return rows.word(CopySlots.slotOf(copy));
    }

    private long bytesAt(int slot) {
        return charge(rows.length(slot), pageBytes);
    }

    private String text(long copy) {
        return "slot " + CopySlots.slotOf(copy) + " generation " + (copy >>> 32) + " is " + state(copy) + " with "
                + pins(copy) + " pins";
    }
}
