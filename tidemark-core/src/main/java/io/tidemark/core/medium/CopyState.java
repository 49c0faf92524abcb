package io.tidemark.core.medium;

/**
 * The state of one copy. The only legal moves are RESERVED to COMMITTED or FREED, COMMITTED to MOVING and back, COMMITTED
 * or MOVING to DOOMED, and DOOMED to FREED.
 */
public enum CopyState {
    /** Space held by an unfinished put; not findable. */
    RESERVED,
    /** Findable and readable. */
    COMMITTED,
    /** Findable and readable, and source of a running demotion or promotion. */
    MOVING,
    /** No longer findable; its bytes are charged until the last pin closes. */
    DOOMED,
    /** The slot is free, or is held by a later copy: the handle's generation no longer matches. */
    FREED;

    /** Whether look-ups may find and read the copy. */
    public boolean findable() {
        return this == COMMITTED || this == MOVING;
    }

    /** Whether a copy in this state may become the source of a move. */
    public boolean movable(int pins) {
        return this == COMMITTED && pins == 0;
    }

    /** Whether a copy in this state may be dropped; {@code leasedLastCopy}: the block is leased and has no other copy. */
    public boolean droppable(int pins, boolean leasedLastCopy) {
        return this == COMMITTED && pins == 0 && !leasedLastCopy;
    }
}
