/**
 * The pool: entries and their copies, reservations, leases, pins, the tier graph, and the one path that frees
 * bytes ({@link io.tidemark.core.pool.Pool#evict}).
 *
 * <p>Start at {@link io.tidemark.core.pool.Pool} and {@code PoolParts}; docs/pool.md follows a put, a get, an eviction and a
 * demotion class by class.
 *
 * <p>May use: {@code core.medium}, {@code index.policy}. Owns the entry locks (striped by key), first in the lock
 * order, and leaves below them (the table in docs/pool.md); no lock is held over byte copies, device I/O or frees.
 */
@NullMarked
package io.tidemark.core.pool;

import org.jspecify.annotations.NullMarked;
