/**
 * The pool: entries and their copies, reservations, leases, pins, the tier graph, and the one path that frees
 * bytes ({@link io.tidemark.core.pool.Pool#evict}).
 *
 * <p>May use: {@code medium}, {@code index.policy}. Owns the entry locks (striped by key), first in the lock
 * order, and below them the leaf of {@code NeverWritten}; no lock is held over byte copies, device I/O or frees.
 */
@NullMarked
package io.tidemark.core.pool;

import org.jspecify.annotations.NullMarked;
