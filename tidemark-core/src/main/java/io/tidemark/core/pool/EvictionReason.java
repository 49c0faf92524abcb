package io.tidemark.core.pool;

/** Why a copy is to go. CAPACITY respects pins, moves and leases and demotes; the discards do not. */
public enum EvictionReason {
    /** A backend is above its mark. Skips pinned and moving copies; may demote a leased copy, never drops its last. */
    CAPACITY,
    /** A client deleted the key. */
    DELETED,
    /** Its time to live is over. */
    EXPIRED,
    /** The pool is being cleared. */
    CLEARED,
    /** A newer value took its place. */
    OVERWRITTEN,
    /** A read found it damaged. */
    CORRUPT;

    /** Whether the copy is thrown away at once: never demoted, leases ignored, DOOMED while pinned. */
    public boolean discards() {
        return this != CAPACITY;
    }
}
