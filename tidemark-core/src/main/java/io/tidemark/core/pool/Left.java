package io.tidemark.core.pool;

/** Why a committed copy is no longer findable in a backend. */
enum Left {
    /** Dropped to make room: the block is elsewhere too, or its policy does not demote it. */
    CAPACITY,
    /** It is in a lower tier now. */
    DEMOTED,
    /** It is in an upper tier now. */
    PROMOTED,
    DELETED,
    EXPIRED,
    CLEARED,
    OVERWRITTEN,
    CORRUPT;

    static Left of(EvictionReason reason) {
        return switch (reason) {
            case CAPACITY -> CAPACITY;
            case DELETED -> DELETED;
            case EXPIRED -> EXPIRED;
            case CLEARED -> CLEARED;
            case OVERWRITTEN -> OVERWRITTEN;
            case CORRUPT -> CORRUPT;
        };
    }
}
