package io.tidemark.core.pool;

/** Typed answer of a put or get, positional in batches. */
public enum Answer {
    /** The value is committed: a read would now return it. */
    STORED,
    /** The key holds a committed value already; nothing was written. */
    EXISTS,
    /** Another writer has reserved the key (UMBP calls only). Never a miss: ask again. */
    BUSY,
    /** No space within the limits; an older value of the key is intact. */
    NO_SPACE,
    /** Larger than any backend or than the configured limit; nothing was evicted for it. */
    TOO_LARGE,
    /** No such block. */
    MISS,
    /** A fault, or a call that breaks the protocol (late commit, closed session). */
    FAILED
}
