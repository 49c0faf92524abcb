package io.tidemark.core.pool;

import io.tidemark.core.medium.CopyState;

/**
 * One copy of a block, as {@code TM.WHERE} shows it.
 *
 * @param bytes allocated bytes of all parts of the block in this backend
 */
public record CopyInfo(String tier, String backend, CopyState state, int pins, long bytes) {}
