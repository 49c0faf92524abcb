package io.tidemark.core.volume;

/**
 * A piece of a walk: the buckets of one digit in one rank directory.
 *
 * @param filesMax files after which it is enough: a sample, to know early how old things are
 */
record ShardTask(RankDir rank, BucketList buckets, int digit, int filesMax) {
    /** As many files as there are. */
    static final int ALL = Integer.MAX_VALUE;

    /** Whether only some of the buckets are looked at. */
    boolean sample() {
        return filesMax != ALL;
    }
}
