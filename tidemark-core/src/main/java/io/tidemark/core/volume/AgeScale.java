package io.tidemark.core.volume;

import java.util.Arrays;

/**
 * Buckets of age, logarithmic: each spans 0.38 % of the age it stands for, from a minute to ten years. Bucket 0 is the
 * youngest.
 */
final class AgeScale {
    static final int BUCKETS = 4096;

    /** Parts of a bucket, for what puts files in order rather than counts them: 0.024 % of the age, ten minutes of a month. */
    static final int PARTS = 16;

    /** Buckets of {@link #fineBucket}. */
    static final int FINE_BUCKETS = BUCKETS * PARTS;

    private static final double UNIT_SECONDS = 60;
    private static final double OLDEST_SECONDS = 3.2e8;
    private static final double PER_E_FOLD = (BUCKETS - 1) / Math.log1p(OLDEST_SECONDS / UNIT_SECONDS);

    private static final long[] YOUNGEST = new long[BUCKETS];

    static {
        Arrays.setAll(YOUNGEST, bucket -> (long) Math.ceil(Math.expm1(bucket / PER_E_FOLD) * UNIT_SECONDS));
    }

    private AgeScale() {}

    /** Bucket of an age; ages below zero (a clock that went back, a stamp from the future) count as zero. */
    static int bucket(long ageSeconds) {
        return fineBucket(ageSeconds) / PARTS;
    }

    /** The same in buckets a {@value #PARTS}th as wide. */
    static int fineBucket(long ageSeconds) {
        if (ageSeconds <= 0) {
            return 0;
        }
        double place = Math.log(1 + ageSeconds / UNIT_SECONDS) * PER_E_FOLD;
        return Math.min(FINE_BUCKETS - 1, (int) (place * PARTS));
    }

    /** An age that none in a bucket of {@link #fineBucket} is younger than, in whole seconds; of the last one beyond the end. */
    static long youngestOfFine(int fineBucket) {
        return YOUNGEST[Math.min(fineBucket / PARTS, BUCKETS - 1)];
    }

    /** Youngest age in a bucket, in whole seconds: every age of the bucket is at least this. */
    static long youngestSeconds(int bucket) {
        return YOUNGEST[bucket];
    }
}
