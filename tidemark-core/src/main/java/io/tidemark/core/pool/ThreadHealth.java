package io.tidemark.core.pool;

/**
 * A thread of a pool at a moment. A healthy one ends a turn at least every few hundred milliseconds.
 *
 * @param alive whether the thread runs
 * @param failures turns that failed since the start
 * @param sinceTurnMillis time since the last turn that went well, or since the start
 */
public record ThreadHealth(String name, boolean alive, long failures, long sinceTurnMillis) {}
