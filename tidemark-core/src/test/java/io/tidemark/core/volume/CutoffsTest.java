package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Errno;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CutoffsTest {
    private static final int RANK = 0;

    private final TestClocks clocks = new TestClocks();
    private final Census census = new Census();
    private final DeletionGrant grant = new DeletionGrant(clocks);
    private final Governor governor =
            new Governor(new Thresholds(85, 70, 95, 0), grant, 1_000_000, new JointDeletion(), clocks);

    private final Intake intake = new Intake();

    private static final long FILE_BYTES = 1 << 20;

    private final UnreadFolders unread = new UnreadFolders(text -> {}, clocks);

    private Cutoffs cutoffs() {
        return cutoffs(0, 0);
    }

    private Cutoffs cutoffs(long refusedBytes, int readyMin) {
        return new Cutoffs(census, grant, governor, intake, () -> refusedBytes, unread, readyMin, clocks);
    }

    /** A file for each of the ages in hours from 1 to 1,000. */
    private void walked(boolean whole) {
        census.begin(Set.of(RANK), Set.of(0), clocks.wallMillis() / 1000);
        AgeHistogram ages = census.newHistogram(RANK, 0);
        for (int hours = 1; hours <= 1_000; hours++) {
            ages.add(now() - 3_600L * hours, FILE_BYTES);
        }
        if (whole) {
            census.put(RANK, 0, ages, false);
        } else {
            census.putSample(RANK, 0, ages, 10);
        }
    }

    private long now() {
        return clocks.wallMillis() / 1000;
    }

    /** Hours of age from which the buffer takes files, on a volume as large as what was walked and at its mark. */
    private long admittedHours(Cutoffs cutoffs, long files) {
        Usage usage = new Usage(files * FILE_BYTES * 85 / 100, files * FILE_BYTES, 0, 0);
        cutoffs.renew();
        return (now() - cutoffs.bufferedSeconds(usage, 1)) / 3_600;
    }

    @Test
    void theBufferTakesWhatACleanupOfAFullVolumeNeeds() {
        walked(true);
        assertThat(admittedHours(cutoffs(), 1_000)).isBetween(696L, 702L);
    }

    @Test
    void whatIsNotWorthTakingIsKnownOnceEveryRankDirectoryIsSampled() {
        walked(false);
        assertThat(admittedHours(cutoffs(), 10_000))
                .as("on the young side of the 700 of a whole walk")
                .isBetween(630L, 692L);
    }

    @Test
    void anEmptyShardSaysNothingAboutTheOthers() {
        census.begin(Set.of(RANK), Set.of(0, 1), clocks.wallMillis() / 1000);
        census.put(RANK, 1, census.newHistogram(RANK, 1), false);
        Cutoffs cutoffs = cutoffs();
        assertThat(cutoffs.bufferedSeconds(new Usage(90, 100, 0, 0), 1))
                .as("all is taken until something has been seen")
                .isEqualTo(Long.MAX_VALUE);
        assertThat(cutoffs.youngestSeconds()).as("and nothing goes").isEmpty();
    }

    @Test
    void fewFilesOfSomeShardsSayNothingAboutTheOthers() {
        census.begin(Set.of(RANK), Set.of(0, 1, 2), clocks.wallMillis() / 1000);
        AgeHistogram ages = census.newHistogram(RANK, 0);
        for (int hours = 1; hours <= 100; hours++) {
            ages.add(now() - 3_600L * hours, FILE_BYTES);
        }
        census.putSample(RANK, 0, ages, 1);
        census.put(RANK, 1, census.newHistogram(RANK, 1), false);
        grant.give(50 * FILE_BYTES, 0, 1_000_000_000L);
        Cutoffs cutoffs = cutoffs();
        assertThat(cutoffs.youngestSeconds()).isEmpty();
        census.put(RANK, 2, census.newHistogram(RANK, 2), false);
        cutoffs.renew();
        assertThat(cutoffs.youngestSeconds()).isPresent();
    }

    @Test
    void theBufferReachesPastWhatRefusesToGo() {
        walked(true);
        assertThat(admittedHours(cutoffs(300 * FILE_BYTES, 0), 1_000)).isBetween(395L, 402L);
    }

    @Test
    void theBufferHoldsTheLeastNumberOfFilesThatWasAskedFor() {
        walked(true);
        assertThat(admittedHours(cutoffs(0, 600), 1_000)).isBetween(395L, 402L);
    }

    @Test
    void theBufferReachesFurtherAfterAWalkThatBroughtNothingThatCouldGo() {
        walked(true);
        Cutoffs cutoffs = cutoffs();
        cutoffs.walked(true);
        assertThat(admittedHours(cutoffs, 2_000))
                .as("four times 300, and of 1,000 there are none beyond")
                .isNegative();
        cutoffs.walked(false);
        assertThat(admittedHours(cutoffs, 1_000)).isBetween(696L, 702L);
    }

    /** The age in hours from which files may go. */
    private long youngestHours(Cutoffs cutoffs) {
        cutoffs.renew();
        return (now() - cutoffs.youngestSeconds().orElseThrow()) / 3_600;
    }

    /** A walk that took files of {@code hours} and more. */
    private void walkTook(int hours) {
        intake.until(now() - 3_600L * hours);
        intake.walkBegins(now());
        intake.walkEnds(true);
    }

    @Test
    void whereMoreIsNeededThanIsReadyWithoutGapsTheCensusSaysHowFarItReaches() {
        walked(true);
        walkTook(900);
        Cutoffs cutoffs = cutoffs();
        assertThat(youngestHours(cutoffs)).as("nothing is needed: the floor").isZero();
        grant.give(50 * FILE_BYTES, 0, 1_000_000_000L);
        assertThat(youngestHours(cutoffs))
                .as("all there is up to here is ready")
                .isEqualTo(900);
        grant.give(300 * FILE_BYTES, 0, 1_000_000_000L);
        assertThat(youngestHours(cutoffs)).as("300 of 1,000").isBetween(696L, 701L);
        assertThat(cutoffs.youngestStampSeconds()).isEqualTo(cutoffs.youngestSeconds());
        grant.give(1_000 * FILE_BYTES, 0, 1_000_000_000L);
        assertThat(youngestHours(cutoffs)).as("all of them").isZero();
    }

    @Test
    void inodesReachAsFarAsSoManyFilesDo() {
        walked(true);
        walkTook(900);
        Cutoffs cutoffs = cutoffs();
        grant.give(0, 300, 1_000_000_000L);
        assertThat(youngestHours(cutoffs)).isBetween(696L, 701L);
    }

    /** 10,000 files, one every six minutes, of which the hottest tenth is larger or smaller than the others. */
    @ParameterizedTest
    @CsvSource({"2097152, 16384", "4096, 1048576"})
    void whereInodesAreShortTheColdestCountByTheirOwnSizes(long hotBytes, long coldBytes) {
        census.begin(Set.of(RANK), Set.of(0), now());
        AgeHistogram ages = census.newHistogram(RANK, 0);
        for (int i = 1; i <= 10_000; i++) {
            ages.add(now() - 360L * i, i <= 1_000 ? hotBytes : coldBytes);
        }
        census.put(RANK, 0, ages, false);
        Cutoffs cutoffs = cutoffs();
        grant.give(0, 2_000, 1_000_000_000L);
        assertThat(youngestHours(cutoffs))
                .as("8,000 six minutes, in buckets of 6 hours")
                .isBetween(793L, 801L);
        assertThat(cutoffs.neededBytes()).isBetween(1_990 * coldBytes, 2_010 * coldBytes);
        grant.give(0, 9_500, 1_000_000_000L);
        assertThat(youngestHours(cutoffs)).as("500 six minutes").isBetween(45L, 51L);
        grant.give(0, 12_000, 1_000_000_000L);
        assertThat(youngestHours(cutoffs)).as("more than there are").isZero();
    }

    @Test
    void aFileWithoutBytesIsAFile() {
        census.begin(Set.of(RANK), Set.of(0), now());
        AgeHistogram ages = census.newHistogram(RANK, 0);
        for (int hours = 1; hours <= 1_000; hours++) {
            ages.add(now() - 3_600L * hours, 0);
        }
        census.put(RANK, 0, ages, false);
        Cutoffs cutoffs = cutoffs();
        grant.give(0, 300, 1_000_000_000L);
        assertThat(youngestHours(cutoffs)).isBetween(693L, 701L);
    }

    @Test
    void aSampleSaysNothingForInodes() {
        walked(false);
        Cutoffs cutoffs = cutoffs();
        grant.give(0, 300, 1_000_000_000L);
        cutoffs.renew();
        assertThat(cutoffs.youngestSeconds()).isEmpty();
    }

    @Test
    void whatMayGoReachesFurtherAfterAWalkThatBroughtNothingThatCouldGo() {
        walked(true);
        walkTook(950);
        Cutoffs cutoffs = cutoffs();
        grant.give(100 * FILE_BYTES, 0, 1_000_000_000L);
        assertThat(youngestHours(cutoffs)).isBetween(896L, 901L);
        cutoffs.walked(true);
        assertThat(youngestHours(cutoffs)).as("first the buffer takes more").isBetween(896L, 901L);
        cutoffs.walked(true);
        assertThat(youngestHours(cutoffs)).isBetween(596L, 601L);
        cutoffs.walked(false);
        assertThat(youngestHours(cutoffs)).isBetween(896L, 901L);
    }

    @Test
    void whileAWalkGoesOnTheYoungestOfACensusThatHasLessThanIsNeededAreNotAllThatMayGo() {
        walked(true);
        walkTook(900);
        Cutoffs cutoffs = cutoffs();
        grant.give(2_000 * FILE_BYTES, 0, 1_000_000_000L);
        cutoffs.walkBegins();
        assertThat(youngestHours(cutoffs)).as("what is ready without gaps").isEqualTo(900);
        cutoffs.walked(false);
        assertThat(youngestHours(cutoffs)).as("all of them").isZero();
    }

    @Test
    void whatRefusesToGoIsPartOfWhatIsReached() {
        walked(true);
        walkTook(900);
        Cutoffs cutoffs = cutoffs(60 * FILE_BYTES, 0);
        grant.give(50 * FILE_BYTES, 0, 1_000_000_000L);
        assertThat(youngestHours(cutoffs)).isBetween(886L, 891L);
    }

    /** Shows a volume with our 1,000 files and so many that nobody has counted, of which 300 have to go. */
    private void observe(Cutoffs cutoffs, long uncountedFiles, long totalFiles) {
        Usage usage = new Usage((1_000 + uncountedFiles) * FILE_BYTES, totalFiles * FILE_BYTES, 0, 0);
        governor.observe(usage, 1);
        grant.give(300 * FILE_BYTES, 0, 1_000_000_000L);
        cutoffs.observe(usage, 1);
    }

    @Test
    void whatIsNotCountedIsTakenForColderUntilSomeWalkHasReadEverything() {
        walked(true);
        Cutoffs cutoffs = cutoffs();
        unread.add("m_r1", Errno.EIO);
        observe(cutoffs, 100, 1_270);
        assertThat(youngestHours(cutoffs))
                .as("200 of 1,000, in buckets of 6 hours")
                .isBetween(793L, 801L);
        observe(cutoffs, 300, 1_500);
        assertThat(cutoffs.youngestSeconds()).as("none").hasValue(Long.MIN_VALUE);
        unread.walkEnded(false, true);
        assertThat(cutoffs.youngestSeconds()).as("still none").hasValue(Long.MIN_VALUE);
        unread.walkEnded(true, true);
        assertThat(youngestHours(cutoffs)).as("300").isBetween(696L, 701L);
        unread.add("m_r1", Errno.EIO);
        assertThat(youngestHours(cutoffs)).as("it counts as before").isBetween(696L, 701L);
    }

    @Test
    void aSampleLeavesRoomForWhatIsNotCountedToo() {
        walked(false);
        Cutoffs cutoffs = cutoffs();
        observe(cutoffs, 9_300, 12_000); // the sample stands for 10,000
        assertThat(cutoffs.youngestSeconds()).as("300 of them").isPresent();
        unread.add("m_r1", Errno.EIO);
        observe(cutoffs, 9_300, 12_000);
        assertThat(cutoffs.youngestSeconds()).as("all 300 may be colder").isEmpty();
    }

    @Test
    void aboveTheCriticalMarkTheRestGoesThoughWhatIsNotCountedMayBeColder() {
        walked(true);
        Cutoffs cutoffs = cutoffs();
        unread.add("m_r1", Errno.EIO);
        observe(cutoffs, 300, 1_350);
        assertThat(youngestHours(cutoffs)).isBetween(696L, 701L);
    }

    @Test
    void whereInodesAreShortFilesThatAreNotCountedAreTakenForColder() {
        walked(true);
        Cutoffs cutoffs = cutoffs();
        unread.add("m_r1", Errno.EIO);
        Usage usage = new Usage(2_000 * FILE_BYTES, 10_000 * FILE_BYTES, 1_100, 1_270);
        governor.observe(usage, 1);
        grant.give(0, 300, 1_000_000_000L);
        cutoffs.observe(usage, 1);
        assertThat(youngestHours(cutoffs))
                .as("200 of 1,000, in buckets of 6 hours")
                .isBetween(793L, 801L);
    }

    @Test
    void theEndOfAWalkIsSeenAtOnceThoughTheEstimateWasFresh() {
        Set<Integer> digits = Set.of(0, 1);
        census.begin(Set.of(RANK), digits, clocks.wallMillis() / 1000);
        Cutoffs cutoffs = cutoffs();
        digits.forEach(digit -> census.put(RANK, digit, census.newHistogram(RANK, digit), false));
        assertThat(cutoffs.renew().whole()).isTrue();
        assertThat(cutoffs.estimate().whole()).isTrue();
    }
}
