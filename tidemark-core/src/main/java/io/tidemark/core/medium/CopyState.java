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
    FREED
}
