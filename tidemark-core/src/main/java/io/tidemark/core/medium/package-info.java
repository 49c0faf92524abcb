/**
 * Media: one kind of storage each (DRAM, SSD), with its allocator, its ledger and its table of copies, and the
 * thin layer of system calls below them.
 *
 * <p>A medium knows space, bytes and the state of its copies; it does not know keys, tiers or why a copy goes. Start at
 * {@link io.tidemark.core.medium.Medium}; {@code DramMedium} is the simple one. {@code SsdMedium} joins {@code WarmStart},
 * {@code SsdSpace}, {@code SsdWrites}, {@code SsdEnds} and {@code SsdKeeper}, one for each step of a block's life there. {@code Workers} are
 * the threads that a device may keep, also for those above.
 *
 * <p>May use: {@code index.policy}. Owns the lock of each table of copies ({@code CopyLock}) and, below it, the monitors of
 * ledger and allocator; for a device that of {@code RecordRoom}, above the ledger's, and the lock of its {@code Journal}, above
 * the monitor of {@code DeviceHealth}; that of {@code LostPages}, above those of ledger and allocator; all others are leaves
 * (see docs/architecture.md). None is held over byte copies or
 * device I/O; the only foreign code under one is the test that {@link io.tidemark.core.medium.EvictionOrder#offers} is given.
 * {@code DirectoryLock} knows which directories this process holds, so that they are not told as another one's.
 * While directories are opened, those of one file system queue for their sizes ({@code SsdDirectory}), ten seconds at most: a
 * queue, and no lock that serving knows.
 */
@NullMarked
package io.tidemark.core.medium;

import org.jspecify.annotations.NullMarked;
