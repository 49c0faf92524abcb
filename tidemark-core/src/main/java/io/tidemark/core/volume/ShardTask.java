package io.tidemark.core.volume;

/**
 * A piece of a walk: the buckets of one digit in one rank directory.
 *
 * @param sample look at some of the buckets only, to know early how old things are
 */
record ShardTask(RankDir rank, BucketList buckets, int digit, boolean sample) {}
