package io.tidemark.core.volume;

/**
 * What a walk has seen of a file.
 *
 * @param recencySeconds its last use
 * @param bytes its allocated bytes
 * @param walk number of the walk ({@link Census})
 */
record Seen(long recencySeconds, long bytes, int walk) {}
