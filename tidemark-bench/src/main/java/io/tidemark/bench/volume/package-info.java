/**
 * The volume sweeper on a real ext4 volume in a loop device: walk and eviction against the same work in C, and against
 * any other evictor that takes the same variables.
 *
 * <p>May use: {@code bench.harness}, {@code server.volume}, {@code core.volume}, {@code core.medium}. Owns no lock.
 */
@NullMarked
package io.tidemark.bench.volume;

import org.jspecify.annotations.NullMarked;
