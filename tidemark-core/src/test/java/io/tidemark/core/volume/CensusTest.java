package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class CensusTest {
    private static final long NOW = 1_800_000_000L;
    private static final Set<Integer> DIGITS = BucketList.ALL_DIGITS;

    private final Census census = new Census();

    private static AgeHistogram uniform(long seed, int files) {
        AgeHistogram ages = new AgeHistogram(NOW);
        Random random = new Random(seed);
        for (int i = 0; i < files; i++) {
            ages.add(NOW - 7_200 - random.nextLong(2_592_000), 16_384);
        }
        return ages;
    }

    @Test
    void bucketsOfAgeCoverMinutesToYearsWithinHalfAPercent() {
        for (long age = 60; age < 300_000_000L; age = age * 11 / 10 + 1) {
            int bucket = AgeScale.bucket(age);
            assertThat(AgeScale.youngestSeconds(bucket)).isLessThanOrEqualTo(age);
            assertThat(AgeScale.youngestSeconds(bucket + 1) + 1).isGreaterThan(age);
        }
        assertThat(AgeScale.bucket(-5)).isZero();
        assertThat(AgeScale.bucket(Long.MAX_VALUE / 2)).isEqualTo(AgeScale.BUCKETS - 1);
    }

    @Test
    void nothingIsSaidBeforeEveryRankDirectoryWasSeen() {
        assertThat(census.estimate(NOW).cutoffSeconds(1)).isEmpty();
        census.begin(Set.of(0, 1), DIGITS, NOW);
        census.put(0, 3, uniform(1, 1000), false);
        assertThat(census.estimate(NOW).cutoffSeconds(1 << 20)).isEmpty();
    }

    @Test
    void aSampleGivesACutoffOnTheSafeSideAndTheWholeTheExactOne() {
        census.begin(Set.of(0), DIGITS, NOW);
        census.putSample(0, 0, uniform(1, 5_000), 2);
        Estimate sampled = census.estimate(NOW);
        assertThat(sampled.files()).isEqualTo(160_000);
        assertThat(sampled.whole()).isFalse();
        for (int digit = 0; digit < 16; digit++) {
            census.put(0, digit, uniform(10 + digit, 10_000), false);
        }
        Estimate whole = census.estimate(NOW);
        assertThat(whole.whole()).isTrue();
        long need = (long) (0.2 * whole.totalBytes());
        long early = sampled.cutoffSeconds((long) (0.2 * sampled.totalBytes())).orElseThrow();
        long late = whole.cutoffSeconds(need).orElseThrow();
        assertThat(early).isLessThan(late);
        double chosen = whole.bytesOlderThan(NOW - late);
        assertThat(chosen / need).isBetween(1.0, 1.04);
    }

    @Test
    void whatIsRemovedIsTakenOutOfTheCount() {
        census.begin(Set.of(0), Set.of(0), NOW);
        AgeHistogram ages = census.newHistogram(0, 0);
        ages.add(NOW - 1_000, 5_000);
        ages.add(NOW - 100_000, 5_000);
        census.put(0, 0, ages, false);
        census.removed(0, 0, new Seen(NOW - 100_000, 5_000, ages.walk()), 1, true);
        assertThat(census.estimate(NOW).totalBytes()).isEqualTo(8_192);
        assertThat(census.estimate(NOW).bytesOlderThan(50_000)).isZero();
    }

    @Test
    void shardsThatAreNotOursAnyMoreAreForgotten() {
        census.begin(Set.of(0), DIGITS, NOW);
        for (int digit = 0; digit < 16; digit++) {
            census.put(0, digit, uniform(digit, 10), false);
        }
        census.begin(Set.of(0), Set.of(1, 2), NOW);
        assertThat(census.estimate(NOW).files()).isEqualTo(20);
    }

    @Test
    void agesGrowBetweenWalks() {
        census.begin(Set.of(0), Set.of(0), NOW);
        AgeHistogram ages = new AgeHistogram(NOW);
        ages.add(NOW - 1_000, 4_096);
        census.put(0, 0, ages, false);
        assertThat(census.estimate(NOW + 1_000_000).bytesOlderThan(990_000)).isEqualTo(4_096);
    }

    @Test
    void theSumStaysThatOfTheShardsWhateverComesGoesOrIsReplaced() {
        Random random = new Random(9);
        census.begin(Set.of(0, 1, 2), DIGITS, NOW);
        for (int step = 0; step < 500; step++) {
            int rank = random.nextInt(3);
            int digit = random.nextInt(16);
            AgeHistogram ages = census.newHistogram(rank, digit);
            for (int i = 0; i < 20; i++) {
                ages.add(NOW - 100_000L * (i + 1), 16_384);
            }
            switch (random.nextInt(4)) {
                case 0 -> census.putSample(rank, digit, ages, 7.5);
                case 1 ->
                    census.removed(
                            rank,
                            digit,
                            new Seen(
                                    NOW - 100_000L * (1 + random.nextInt(20)),
                                    16_384,
                                    Math.floorMod(ages.walk() - random.nextInt(2), Census.WALKS)),
                            random.nextInt(),
                            random.nextBoolean());
                case 2 -> census.put(rank, digit, ages, false);
                default -> census.begin(Set.of(0, 1, 2), DIGITS, NOW + step);
            }
            double kept = census.estimate(NOW).totalBytes();
            double counted = census.estimate(NOW, any -> true).totalBytes();
            assertThat(kept).as("step %d", step).isCloseTo(counted, Offset.offset(1.0));
        }
    }

    @Test
    void whatGoesDuringAListingThatComesToNoEndLeavesTheCountOfBefore() {
        census.begin(Set.of(1), Set.of(0), NOW);
        AgeHistogram first = census.newHistogram(1, 0);
        for (int file = 0; file < 10; file++) {
            first.add(NOW - 3_600, 1 << 20);
        }
        census.put(1, 0, first, false);
        long later = NOW + 6 * 3_600;
        census.begin(Set.of(1), Set.of(0), later);
        int walk = census.newHistogram(1, 0).walk();
        for (int file = 0; file < 4; file++) {
            census.removed(1, 0, new Seen(NOW - 3_600, 1 << 20, walk), file, true);
        }
        census.removed(1, 0, new Seen(NOW + 10, 1 << 20, walk), 4, true); // came after the count
        counts(6, 6L << 20, later);
        census.begin(Set.of(1), Set.of(0), later + 10);
        counts(6, 6L << 20, later + 10);
    }

    /** A shard that cannot be read for so long that the number of the walk that has counted it comes round. */
    @Test
    void aCountThatOutlivesTheNumbersOfWalksPassesForNoneOfTheWalkThatBearsItsNumber() {
        census.begin(Set.of(1), Set.of(0), NOW);
        AgeHistogram first = census.newHistogram(1, 0);
        for (int file = 0; file < 10; file++) {
            first.add(NOW - 3_600, 4_096);
        }
        int number = first.walk();
        census.put(1, 0, first, false);
        for (int walk = 1; walk <= 3 * Census.WALKS; walk++) {
            long now = NOW + walk * 600L;
            census.begin(Set.of(1), Set.of(0), now);
            AgeHistogram unread = census.newHistogram(1, 0);
            Seen written = new Seen(now - 60, 4_096, unread.walk());
            unread.add(written.recencySeconds(), written.bytes());
            census.removed(1, 0, written, walk, true);
            counts(10, 10 * 4_096, now); // it came after the count
            if (walk == 3 * Census.WALKS) {
                assertThat(unread.walk()).isEqualTo(number);
                census.put(1, 0, unread, false);
                counts(0, 0, now); // and went after the listing of now had come to it
            } else {
                census.put(1, 0, unread, true);
            }
        }
    }

    private void counts(long files, long bytes, long now) {
        Estimate counted = census.estimate(now);
        assertThat(counted.files()).isEqualTo(files);
        assertThat(counted.totalBytes()).isEqualTo((double) bytes);
        assertThat(counted.bytesOfColdest((double) files))
                .as("sum of the buckets")
                .isEqualTo(bytes);
    }

    /**
     * A file of the model below.
     *
     * @param number of its path
     * @param listedBy numbers of the walks that have come to it, the last one first
     */
    private record Modelled(int number, long recency, Deque<Integer> listedBy) {
        private Seen seenBy(int walk) {
            return new Seen(recency, 4_096, walk);
        }
    }

    @Test
    void theCountIsThatOfTheFilesThatAreThereWhereverAListingIsWhenTheyGo() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Modelled> there = new ArrayList<>();
        for (int file = 0; file < 400; file++) {
            there.add(new Modelled(file, NOW - 3_600 - random.nextInt(1_000_000), new ArrayDeque<>()));
        }
        long now = NOW;
        for (int walk = 0; !there.isEmpty(); walk++) {
            now += 600 + random.nextInt(100_000);
            census.begin(Set.of(7), Set.of(0), now);
            AgeHistogram ages = census.newHistogram(7, 0);
            for (Modelled file : List.copyOf(there)) {
                if (there.contains(file)) {
                    ages.add(file.recency, 4_096);
                    file.listedBy.addFirst(ages.walk());
                }
                if (walk > 0 && random.nextInt(50) == 0) {
                    Modelled going = there.remove(random.nextInt(there.size()));
                    census.removed(7, 0, going.seenBy(going.listedBy.getFirst()), going.number, random.nextBoolean());
                    assertThat(counted(now)).as("seed %d, walk %d", seed, walk).isEqualTo(there.size());
                }
            }
            if (walk == 0 || random.nextInt(3) > 0) {
                census.put(7, 0, ages, random.nextInt(4) == 0);
            }
            if (!there.isEmpty()) { // one that was held since a walk before, and that another deleter has taken since
                Modelled going = there.remove(random.nextInt(there.size()));
                int held = any(going, random);
                int taken = going.listedBy.getFirst();
                census.removed(7, 0, going.seenBy(held), going.number, true);
                if (taken != held) {
                    census.removed(7, 0, going.seenBy(taken), going.number, false);
                }
            }
            assertThat(counted(now)).as("seed %d, walk %d", seed, walk).isEqualTo(there.size());
            counts(there.size(), 4_096L * there.size(), now);
        }
    }

    private int counted(long now) {
        return (int) census.estimate(now).files();
    }

    /** One of the last three walks that have listed a file. */
    private static int any(Modelled file, Random random) {
        return List.copyOf(file.listedBy).get(random.nextInt(Math.min(3, file.listedBy.size())));
    }
}
