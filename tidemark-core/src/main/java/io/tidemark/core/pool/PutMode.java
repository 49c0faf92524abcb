package io.tidemark.core.pool;

/** What a put does about a key that holds a value, or that another writer has reserved. */
public enum PutMode {
    /** First writer wins: EXISTS for a committed key, BUSY for a reserved one (UMBP). */
    CREATE,
    /** Each writer fills a reservation of its own and the last commit wins (Redis SET). */
    REPLACE,
    /** As REPLACE, but the commit answers EXISTS and stores nothing when the key holds a value by then (SET NX). */
    REPLACE_IF_ABSENT,
    /** As REPLACE, but the commit answers MISS and stores nothing when the key holds no value by then (SET XX). */
    REPLACE_IF_PRESENT
}
