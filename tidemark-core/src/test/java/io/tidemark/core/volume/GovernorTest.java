package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GovernorTest {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final TestClocks clocks = new TestClocks();
    private final DeletionGrant grant = new DeletionGrant(clocks);
    private final JointDeletion joint = new JointDeletion();
    private final Governor governor =
            new Governor(new Thresholds(85, 70, 95, 3600), grant, INTERVAL_NANOS, joint, clocks);

    private static Usage used(long percent) {
        return new Usage(percent * 10, 1000, 0, 0);
    }

    @Test
    void g72_startsAtTheCleanupMarkAndEndsAtTheTargetOnly() {
        assertThat(governor.observe(used(84), 1)).isEqualTo(Governor.Change.NONE);
        assertThat(governor.observe(used(85), 1)).isEqualTo(Governor.Change.STARTED);
        assertThat(governor.observe(used(71), 1)).isEqualTo(Governor.Change.NONE);
        assertThat(governor.observe(used(70), 1)).isEqualTo(Governor.Change.ENDED);
        assertThat(governor.observe(used(84), 1)).isEqualTo(Governor.Change.NONE);
        assertThat(grant.open()).isFalse();
    }

    @Test
    void g72_pairsThatCannotHoldAreRefused() {
        for (double[] pair : new double[][] {{70, 85}, {70, 70}, {0, 0}, {101, 70}, {85, 0}, {85, -1}}) {
            assertThatThrownBy(() -> new Thresholds(pair[0], pair[1], 100, 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void theGrantIsTheWayToTheTargetAndOurShareOfIt() {
        governor.observe(used(90), 0.25);
        assertThat(grant.remainingBytes()).isEqualTo(50);
    }

    @Test
    void aGrantIsLoweredButNeverRaisedWhileItLasts() {
        governor.observe(used(90), 1);
        grant.take(150);
        governor.observe(used(90), 1);
        assertThat(grant.remainingBytes()).as("the file system gives back late").isEqualTo(50);
        governor.observe(used(72), 1);
        assertThat(grant.remainingBytes()).as("somebody else freed").isEqualTo(20);
    }

    @Test
    void aUsedUpGrantIsRenewedWhenNothingWasFreedForAWhileHoweverOftenOneLooks() {
        governor.observe(used(90), 1);
        grant.take(200);
        for (int look = 0; look < 20; look++) {
            governor.observe(used(90), 1);
            assertThat(grant.open()).as("the file system gives back late").isFalse();
        }
        clocks.passTime(Duration.ofSeconds(4));
        governor.observe(used(88), 1);
        assertThat(grant.open()).as("still quiet").isFalse();
        clocks.passTime(Duration.ofSeconds(2));
        governor.observe(used(80), 1);
        assertThat(grant.remainingBytes()).isEqualTo(100);
    }

    @Test
    void aLongIntervalIsWaitedForOnceAndNotTenTimes() {
        Governor slow = new Governor(new Thresholds(85, 70, 95, 3600), grant, TimeUnit.HOURS.toNanos(1), joint, clocks);
        slow.observe(used(90), 1);
        grant.take(200);
        clocks.passTime(Duration.ofMinutes(59));
        slow.observe(used(80), 1);
        assertThat(grant.open()).isFalse();
        clocks.passTime(Duration.ofMinutes(2));
        slow.observe(used(80), 1);
        assertThat(grant.remainingBytes()).isEqualTo(100);
    }

    @Test
    void ourPartIsNotRenewedWhileOthersBringTheVolumeDown() {
        governor.observe(used(90), 0.5);
        grant.take(100);
        for (int percent = 80; percent > 74; percent--) {
            clocks.passTime(Duration.ofSeconds(4));
            governor.observe(used(percent), 0.5);
            assertThat(grant.open()).as("the others go on").isFalse();
        }
        clocks.passTime(Duration.ofSeconds(6));
        governor.observe(used(75), 0.5);
        assertThat(grant.remainingBytes()).as("they do not").isEqualTo(25);
    }

    @Test
    void ourPartIsRenewedWhereOthersFreeLessThanIsWritten() {
        governor.observe(used(90), 0.5);
        grant.take(100);
        for (long percent : new long[] {89, 91, 90, 92, 91}) {
            clocks.passTime(Duration.ofSeconds(1));
            governor.observe(used(percent), 0.5);
            assertThat(grant.open()).isFalse();
        }
        clocks.passTime(Duration.ofSeconds(1));
        governor.observe(used(93), 0.5);
        assertThat(grant.remainingBytes()).as("it goes up and down, and up").isEqualTo(115);
    }

    @Test
    void aVolumeThatGivesBackLateIsNotSweptTwiceForARoundThatAnotherBeganTooSoon() {
        governor.observe(used(90), 0.5);
        clocks.passTime(Duration.ofSeconds(1));
        grant.take(100);
        joint.others(List.of(new DeletionRound(2, 200, 0)));
        clocks.passTime(Duration.ofSeconds(4));
        governor.observe(used(88), 0.5);
        assertThat(grant.open()).as("not quiet for long enough").isFalse();
        assertThat(joint.called()).as("still called").isPresent();
        clocks.passTime(Duration.ofSeconds(2));
        governor.observe(used(74), 0.5);
        assertThat(grant.remainingBytes())
                .as("our part, and no more than is needed")
                .isEqualTo(40);
    }

    @Test
    void whoHoldsNoShardBeginsNoRound() {
        assertThat(governor.observe(used(90), 0)).isEqualTo(Governor.Change.STARTED);
        clocks.passTime(Duration.ofSeconds(6));
        governor.observe(used(90), 0);
        assertThat(joint.shown()).isEqualTo(DeletionRound.NONE);
        governor.observe(used(90), 1);
        assertThat(grant.remainingBytes()).as("it has taken over").isEqualTo(200);
    }

    @Test
    void deletionOfOthersBeginsItHereBelowTheMarkAndOnce() {
        assertThat(governor.observe(used(84), 0.5)).isEqualTo(Governor.Change.NONE);
        List<DeletionRound> others = List.of(new DeletionRound(3, 200, 0));
        joint.others(others);
        assertThat(governor.observe(used(70), 0.5)).as("at the target").isEqualTo(Governor.Change.NONE);
        assertThat(governor.observe(used(81), 0.5)).isEqualTo(Governor.Change.STARTED);
        assertThat(joint.shown()).isEqualTo(others.getFirst());
        assertThat(grant.remainingBytes())
                .as("our part of the whole, not of the rest")
                .isEqualTo(100);
        assertThat(governor.observe(used(70), 0.5)).isEqualTo(Governor.Change.ENDED);
        assertThat(joint.shown()).isEqualTo(others.getFirst().ended());
        joint.others(others);
        assertThat(governor.observe(used(71), 0.5)).as("it has ended here").isEqualTo(Governor.Change.NONE);
    }

    @Test
    void ofTwoThatBeginAtOnceTheLaterMakesUpForWhatItCouldNotSee() {
        governor.observe(used(88), 0.5);
        grant.take(90);
        joint.others(List.of(new DeletionRound(1, 200, 0)));
        governor.observe(used(80), 0.5);
        assertThat(grant.remainingBytes()).isEqualTo(10);
        joint.others(List.of(new DeletionRound(1, 200, 0)));
        governor.observe(used(80), 0.5);
        assertThat(grant.remainingBytes()).as("once").isEqualTo(10);
    }

    @Test
    void aFurtherRoundOfOthersIsOursTooOnceOurPartOfTheOneBeforeIsDone() {
        governor.observe(used(90), 0.5);
        joint.others(List.of(new DeletionRound(2, 50, 0)));
        governor.observe(used(90), 0.5);
        assertThat(grant.remainingBytes()).as("not done").isEqualTo(100);
        assertThat(joint.shown().number()).as("still in the first").isEqualTo(1);
        grant.take(100);
        clocks.passTime(Duration.ofSeconds(6));
        governor.observe(used(75), 0.5);
        assertThat(grant.remainingBytes())
                .as("called for while there was something to do")
                .isEqualTo(25);
        assertThat(joint.shown()).isEqualTo(new DeletionRound(2, 50, 0));
    }

    @Test
    void aRoundThatTwoBeganAtOnceIsAsLargeAsEitherInBytesAndInFiles() {
        governor.observe(used(88), 0.5);
        joint.others(List.of(new DeletionRound(1, 200, 0), new DeletionRound(1, 0, 30)));
        governor.observe(used(88), 0.5);
        assertThat(joint.shown()).isEqualTo(new DeletionRound(1, 200, 30));
        joint.others(List.of(new DeletionRound(1, 200, 30)));
        assertThat(joint.called()).as("all agree").isEmpty();
    }

    @Test
    void whatOthersShowMayChangeBetweenTheCallAndTheAnswer() {
        governor.observe(used(88), 0.5);
        DeletionRound further = new DeletionRound(2, 50, 0);
        joint.others(List.of(further));
        joint.others(List.of());
        joint.follow(further);
        assertThat(joint.last()).isEqualTo(further);
        assertThat(joint.begin(10, 0)).isEqualTo(new DeletionRound(3, 10, 0));
    }

    @Test
    void aNumberThatNobodyCountedToIsNoRound() {
        assertThat(DeletionRound.parse(Long.MAX_VALUE + ":1:0")).isEmpty();
        assertThat(DeletionRound.parse("7:1:0")).contains(new DeletionRound(7, 1, 0));
    }

    @Test
    void ourPartShrinksWhenAnotherSweeperComes() {
        governor.observe(used(90), 1);
        governor.observe(used(86), 0.5);
        assertThat(grant.remainingBytes()).isEqualTo(80);
    }

    @Test
    void aFileThatIsBeingRemovedIsCountedOnceWhoeverMeasuresMeanwhile() {
        governor.observe(used(71), 1);
        governor.observe(used(90), 1);
        long taken = grant.take(10);
        grant.lower(190, 0);
        assertThat(grant.remainingBytes())
                .as("unlinked, and measured by another deleter")
                .isEqualTo(190);
        grant.putBack(taken, 10);
        assertThat(grant.remainingBytes()).as("it stayed after all").isEqualTo(200);
    }

    @Test
    void nothingIsPutBackIntoAGrantThatIsOver() {
        governor.observe(used(90), 1);
        long taken = grant.take(10);
        governor.observe(used(70), 1);
        grant.putBack(taken, 10);
        assertThat(grant.open()).isFalse();
    }

    @Test
    void aGrantThatNobodyConfirmsEndsByItself() {
        governor.observe(used(90), 1);
        assertThat(grant.open()).isTrue();
        clocks.passTime(Duration.ofSeconds(2));
        assertThat(grant.open()).isFalse();
    }

    @Test
    void inodesAloneSwitchDeletionOn() {
        Usage inodes = new Usage(10, 1000, 900, 1000);
        assertThat(governor.observe(inodes, 1)).isEqualTo(Governor.Change.STARTED);
        assertThat(grant.remainingBytes()).isZero();
        assertThat(grant.remainingFiles()).isEqualTo(200);
    }

    @Test
    void aboveTheCriticalMarkNoAgeProtects() {
        governor.observe(used(94), 1);
        assertThat(governor.critical()).isFalse();
        governor.observe(used(95), 1);
        assertThat(governor.critical()).isTrue();
    }
}
