/**
 * Media: one kind of storage each (DRAM first), with its allocator, its ledger and its table of copies, and the
 * thin layer of system calls below them.
 *
 * <p>A medium knows space, bytes and the state of its copies; it does not know keys, tiers or why a copy goes.
 * May use: {@code index.policy}. Owns the locks of allocator, order and slot table, all leaves of the lock order
 * (see docs/architecture.md): none is held over byte copies, device I/O or calls out of the package.
 */
@NullMarked
package io.tidemark.core.medium;

import org.jspecify.annotations.NullMarked;
