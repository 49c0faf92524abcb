package io.tidemark.core.pool;

/** How bytes came into a backend. */
enum Stored {
    PUT,
    DEMOTION,
    PROMOTION,
    /** It was there when the process started. */
    RECOVERY
}
