/**
 * Media: one kind of storage each (DRAM first), with its allocator, its ledger and its table of copies, and the
 * thin layer of system calls below them.
 *
 * <p>A medium knows space, bytes and the state of its copies; it does not know keys, tiers or why a copy goes.
 * May use: {@code index.policy}. Owns the lock of each table of copies and, below it, the monitors of allocator and
 * ledger (see docs/architecture.md). None is held over byte copies or device I/O; the only foreign code under one is
 * the test that {@link io.tidemark.core.medium.CopyTable#offers} is given. While directories are opened, those of one file
 * system queue for their sizes ({@code SsdDirectory}), ten seconds at most: a queue, and no lock that serving knows.
 */
@NullMarked
package io.tidemark.core.medium;

import org.jspecify.annotations.NullMarked;
