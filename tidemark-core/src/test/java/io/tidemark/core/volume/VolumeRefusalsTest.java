package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.pool.Clocks;
import io.tidemark.core.volume.VolumeRefusals.Failing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VolumeRefusalsTest {
    private static final Duration FILE = Duration.ofSeconds(VolumeRefusals.FILE_SECONDS);

    private final RecordingListener listener = new RecordingListener();
    private final RankDir rank = new RankTable(path -> Optional.empty())
            .at("m_r0".getBytes(StandardCharsets.UTF_8))
            .orElseThrow();
    private Duration now = Duration.ofDays(1);
    private final VolumeRefusals refusals = new VolumeRefusals(listener, new Clocks() {
        @Override
        public long monotonicNanos() {
            return now.toNanos();
        }

        @Override
        public long wallMillis() {
            return now.toMillis();
        }
    });

    private VolumeFile file(int number) {
        byte[] path = ("abc/" + number).getBytes(StandardCharsets.UTF_8);
        return new VolumeFile(rank, path, number, 4, new Seen(1, 100, 0), RemovalCause.CAPACITY);
    }

    private boolean unlinkFails(int number) {
        return refusals.failed(file(number), Failing.REMOVAL, Errno.EIO);
    }

    private void pass(long millis) {
        now = now.plusMillis(millis);
    }

    /** Tries a file again and again, as often as pauses allow, for so long; the pauses in milliseconds. */
    private List<Long> triesFor(Duration time) {
        List<Long> pauses = new ArrayList<>();
        Duration end = now.plus(time);
        while (now.compareTo(end) < 0) {
            Duration began = now;
            assertThat(unlinkFails(1)).isTrue();
            while (refusals.pausing()) {
                pass(1);
            }
            pauses.add(now.minus(began).toMillis());
        }
        return pauses;
    }

    @Test
    void oneFailureEndsNothingTwoInARowBeginAPauseThatGrows() {
        unlinkFails(1);
        assertThat(refusals.pausing()).isFalse();
        assertThat(triesFor(FILE)).containsExactly(100L, 100L, 200L, 400L, 800L, 1_600L, 1_800L);
        assertThat(refusals.lastsLong()).isFalse();
        assertThat(triesFor(Duration.ofSeconds(6))).containsExactly(2_000L, 2_000L, 2_000L);
        assertThat(refusals.lastsLong()).isTrue();
        assertThat(refusals.endsBatch()).isFalse();
    }

    @Test
    void whatWorksFirstEndsThePause() {
        triesFor(Duration.ofSeconds(2));
        unlinkFails(2);
        assertThat(refusals.endsBatch()).isTrue();
        refusals.answered(file(3));
        assertThat(refusals.endsBatch()).as("a look says nothing of removals").isTrue();
        refusals.removed(file(3));
        assertThat(refusals.endsBatch()).isFalse();
        assertThat(refusals.keeps(file(1))).isTrue();
    }

    @Test
    void aLookThatIsAnsweredEndsTheTroubleOfLooks() {
        refusals.failed(file(1), Failing.LOOK, Errno.ESTALE);
        refusals.failed(file(2), Failing.LOOK, Errno.ESTALE);
        refusals.answered(file(3));
        assertThat(refusals.lasts()).isFalse();
        refusals.failed(file(1), Failing.LOOK, Errno.ESTALE);
        refusals.failed(file(2), Failing.REMOVAL, Errno.EIO);
        refusals.answered(file(3));
        assertThat(refusals.lasts()).as("one of them was a removal").isTrue();
    }

    @Test
    void aFileThatFailsForFiveSecondsBesideOthersThatGoHasAnErrorOfItsOwn() {
        assertThat(unlinkFails(1)).isTrue();
        for (int i = 0; i < 49; i++) {
            pass(100);
            refusals.removed(file(10 + i));
            assertThat(unlinkFails(1)).isTrue();
        }
        pass(100);
        assertThat(unlinkFails(1)).as("nothing has gone since").isTrue();
        refusals.answered(file(70));
        assertThat(unlinkFails(1)).as("nor has anything after a look").isTrue();
        refusals.removed(file(71));
        assertThat(unlinkFails(1)).isFalse();
        assertThat(refusals.keeps(file(1))).isFalse();
    }

    @Test
    void aFolderThatIsBadIsSoForAllItsFilesUntilItIsForgotten() {
        assertThat(refusals.failed(file(1), Failing.FOLDER, Errno.EIO)).isTrue();
        assertThat(refusals.keepsFolderOf(file(2))).isTrue();
        pass(6_000);
        refusals.answered(elsewhere());
        assertThat(refusals.failed(file(2), Failing.FOLDER, Errno.EIO)).isFalse();
        assertThat(refusals.failed(file(3), Failing.FOLDER, Errno.EIO)).isFalse();
        assertThat(refusals.keeps(file(2))).isFalse();
        pass(61_000);
        assertThat(refusals.failed(file(4), Failing.FOLDER, Errno.EIO)).isTrue();
        refusals.answered(file(5));
        assertThat(refusals.keepsFolderOf(file(4))).as("it can be opened").isFalse();
    }

    private VolumeFile elsewhere() {
        byte[] path = "abd/1".getBytes(StandardCharsets.UTF_8);
        return new VolumeFile(rank, path, 1, 4, new Seen(1, 100, 0), RemovalCause.CAPACITY);
    }

    @Test
    void aVolumeThatFailsForLongMakesNoFileFail() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(unlinkFails(i % 10)).isTrue();
            pass(1_000);
        }
        assertThat(refusals.bytes()).isEqualTo(10 * 100);
        refusals.removed(file(1));
        assertThat(refusals.bytes()).as("it works again").isZero();
    }

    @Test
    void beginAndEndAreToldOnceAndWhatIsOverInAMomentIsNot() {
        triesFor(Duration.ofMillis(500));
        refusals.removed(file(2));
        assertThat(listener.warnings).isEmpty();
        triesFor(Duration.ofMinutes(9));
        assertThat(refusals.problem()).isEqualTo("the volume refuses removals: EIO (m_r0/abc/1 was tried last)");
        assertThat(listener.warnings).hasSize(1);
        triesFor(Duration.ofMinutes(2));
        assertThat(listener.warnings).as("after ten minutes again").hasSize(2);
        refusals.removed(file(1));
        assertThat(refusals.problem()).isEmpty();
        assertThat(listener.warnings.getLast()).startsWith("removals work again: they failed for 6");
        refusals.removed(file(2));
        assertThat(listener.warnings).hasSize(3);
    }

    @Test
    void whatNobodyTriesAnyMoreIsNoProblem() {
        triesFor(Duration.ofSeconds(3));
        assertThat(refusals.problem()).isNotEmpty();
        pass(11_000);
        assertThat(refusals.problem()).isEmpty();
    }

    @Test
    void errorsOfAFileAreItsOwnAndWhatNobodyKnowsIsTheVolumes() {
        assertThat(List.of(Errno.EPERM, Errno.EACCES, Errno.EBUSY, Errno.EISDIR, Errno.ELOOP, Errno.EXDEV))
                .allMatch(VolumeRefusals::isOfFile);
        assertThat(List.of(
                        Errno.EIO,
                        Errno.ESTALE,
                        Errno.EROFS,
                        Errno.ENOSPC,
                        Errno.EDQUOT,
                        Errno.ETIMEDOUT,
                        Errno.ENOTCONN,
                        Errno.EHOSTDOWN,
                        Errno.ECONNRESET,
                        Errno.EMFILE,
                        Errno.ENOMEM,
                        999))
                .noneMatch(VolumeRefusals::isOfFile);
    }

    @Test
    void aFailureADayAgoSaysNothingOfTheNextOne() {
        unlinkFails(1);
        pass(Duration.ofDays(1).toMillis());
        assertThat(refusals.lasts()).isFalse();
        unlinkFails(1);
        assertThat(refusals.lastsLong()).isFalse();
        assertThat(refusals.pausing()).isFalse();
        assertThat(refusals.problem()).isEmpty();
        assertThat(listener.warnings).isEmpty();
    }

    @Test
    void onceTwoFilesWereBadOthersAreWithoutFailingForAsLong() {
        for (int bad = 1; bad <= 2; bad++) {
            assertThat(unlinkFails(bad)).isTrue();
            pass(FILE.toMillis());
            refusals.removed(file(100));
            assertThat(unlinkFails(bad)).as("bad").isFalse();
        }
        assertThat(unlinkFails(3)).as("nothing else went yet").isTrue();
        pass(100);
        assertThat(unlinkFails(3)).isTrue();
        assertThat(refusals.lastsLong()).as("more is tried sooner").isTrue();
        refusals.removed(file(101));
        assertThat(unlinkFails(3)).isFalse();
        pass(Duration.ofMinutes(2).toMillis());
        assertThat(unlinkFails(4)).isTrue();
        pass(100);
        refusals.removed(file(102));
        assertThat(unlinkFails(4)).as("long after the last bad one").isTrue();
    }
}
