package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AgeScaleTest {
    @Test
    void theYoungestAgeOfABucketIsInItAndTheSecondBeforeIsNot() {
        for (int bucket = 1; bucket < AgeScale.BUCKETS; bucket++) {
            long youngest = AgeScale.youngestSeconds(bucket);
            assertThat(AgeScale.bucket(youngest)).as("bucket %d", bucket).isGreaterThanOrEqualTo(bucket);
            assertThat(AgeScale.bucket(youngest - 1)).as("bucket %d", bucket).isLessThan(bucket);
        }
    }

    @Test
    void agesBelowZeroAreNowAndNoneIsTooOld() {
        assertThat(AgeScale.bucket(-5)).isZero();
        assertThat(AgeScale.bucket(Long.MAX_VALUE)).isEqualTo(AgeScale.BUCKETS - 1);
    }
}
