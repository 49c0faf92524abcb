package io.tidemark.core.pool;

/** A look-up's promise that the last copy of a block stays until a fixed moment. */
record Lease(Session session, int entry, Backend charged, long bytes, long untilNanos) {}
