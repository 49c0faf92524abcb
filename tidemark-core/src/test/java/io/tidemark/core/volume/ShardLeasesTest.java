package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShardLeasesTest {
    private static final Duration LASTS = Duration.ofSeconds(15);

    @TempDir
    private Path folder;

    private final TestClocks clocks = new TestClocks();

    private ShardLeases leases(String id) {
        return new ShardLeases(folder, id, clocks, LASTS.toNanos(), other -> false, new JointDeletion());
    }

    private void rounds(int count, ShardLeases... all) throws IOException {
        for (int i = 0; i < count; i++) {
            clocks.passTime(Duration.ofSeconds(2));
            for (ShardLeases one : all) {
                one.step();
            }
            Set<Integer> seen = new HashSet<>();
            for (ShardLeases one : all) {
                for (int digit : one.held()) {
                    assertThat(seen.add(digit))
                            .as("shard %d has one holder", digit)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void oneHasAllAtOnce() throws IOException {
        ShardLeases one = leases("a");
        assertThat(one.held()).isEmpty();
        one.step();
        assertThat(one.held()).hasSize(16);
    }

    @Test
    void severalShareFairly() throws IOException {
        List<ShardLeases> three = List.of(leases("a"), leases("b"), leases("c"));
        rounds(6, three.toArray(new ShardLeases[0]));
        int sum = three.stream().mapToInt(one -> one.held().size()).sum();
        assertThat(sum).isEqualTo(16);
        assertThat(three).allMatch(one -> one.held().size() >= 4 && one.held().size() <= 6);
    }

    @Test
    void whoDeletesIsSeenToByTheOthersWhileItIsThere() throws IOException {
        JointDeletion deletionOfOne = new JointDeletion();
        JointDeletion deletionOfTwo = new JointDeletion();
        ShardLeases one = new ShardLeases(folder, "a", clocks, LASTS.toNanos(), other -> false, deletionOfOne);
        ShardLeases two = new ShardLeases(folder, "b", clocks, LASTS.toNanos(), other -> false, deletionOfTwo);
        rounds(2, one, two);
        assertThat(deletionOfTwo.called()).isEmpty();
        DeletionRound first = deletionOfOne.begin(1_000, 5);
        rounds(1, one, two);
        assertThat(deletionOfTwo.called()).contains(first);
        assertThat(deletionOfOne.called()).isEmpty();
        assertThat(deletionOfTwo.begin(500, 0)).isEqualTo(first);
        rounds(1, one, two);
        assertThat(deletionOfTwo.called()).isEmpty();
        deletionOfTwo.end();
        rounds(1, one, two);
        assertThat(deletionOfTwo.called()).as("it has had its part in that one").isEmpty();
        deletionOfOne.end();
        DeletionRound second = deletionOfOne.begin(2_000, 0);
        assertThat(second.number()).isGreaterThan(first.number());
        rounds(1, one, two);
        assertThat(deletionOfTwo.called()).contains(second);
        rounds(8, two);
        assertThat(deletionOfTwo.called()).as("the other has died").isEmpty();
        assertThat(deletionOfTwo.begin(1, 1).number()).isGreaterThan(second.number());
    }

    @Test
    void aNewSweeperKnowsOfRoundsThatAreOver() throws IOException {
        JointDeletion deletionOfOne = new JointDeletion();
        ShardLeases one = new ShardLeases(folder, "a", clocks, LASTS.toNanos(), other -> false, deletionOfOne);
        deletionOfOne.begin(1_000, 5);
        deletionOfOne.end();
        JointDeletion deletionOfTwo = new JointDeletion();
        ShardLeases two = new ShardLeases(folder, "b", clocks, LASTS.toNanos(), other -> false, deletionOfTwo);
        rounds(2, one, two);
        assertThat(deletionOfTwo.called()).isEmpty();
        assertThat(deletionOfTwo.begin(1, 1).number()).isEqualTo(2);
    }

    @Test
    void aRoundThatMakesNoSenseIsNone() {
        for (String record : List.of("a 1", "a 1 ", "a 1 2", "a 1 2:3", "a 1 2:3:x", "a 1 2:3:-4", "a 1 2:3:4:5", "")) {
            assertThat(LeaseFile.round(record)).as(record).isEmpty();
        }
        assertThat(LeaseFile.round(LeaseFile.record("a", 1, new DeletionRound(2, 3, 4))))
                .contains(new DeletionRound(2, 3, 4));
    }

    @Test
    void whenOneDiesTheOthersTakeOverAfterItsTimeAndNotBefore() throws IOException {
        ShardLeases one = leases("a");
        ShardLeases two = leases("b");
        rounds(4, one, two);
        rounds(5, two);
        assertThat(two.held()).hasSize(8);
        rounds(6, two);
        assertThat(two.held()).hasSize(16);
        assertThat(one.held()).as("it has stopped long before").isEmpty();
    }

    @Test
    void aSweeperKnownToBeDeadIsReplacedAtOnce() throws IOException {
        leases("a").step();
        ShardLeases two = new ShardLeases(folder, "b", clocks, LASTS.toNanos(), "a"::equals, new JointDeletion());
        rounds(2, two);
        assertThat(two.held()).hasSize(16);
    }

    @Test
    void aSweeperThatGoesGivesEverythingUp() throws IOException {
        ShardLeases one = leases("a");
        one.step();
        one.release();
        ShardLeases two = leases("b");
        two.step();
        assertThat(two.held()).hasSize(16);
        two.release();
        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aSweeperThatCannotReachTheVolumeStopsBeforeAnotherTakesOver() throws IOException {
        ShardLeases one = leases("a");
        one.step();
        clocks.passTime(LASTS.dividedBy(2));
        assertThat(one.held()).isEmpty();
    }

    @Test
    void aFileThatIsNoTextIsNobodysAndKeepsNobodyFromTheRest() throws IOException {
        byte[] noText = {(byte) 0xff, (byte) 0xfe, 0, 1, (byte) 0xff};
        Files.write(folder.resolve("lease-3"), noText);
        Files.write(folder.resolve("member-x"), noText);
        ShardLeases one = leases("a");
        rounds(1, one);
        assertThat(one.held()).as("half of it, for whoever the other may be").hasSize(8);
        rounds(9, one);
        assertThat(one.held()).hasSize(16);
        assertThat(folder.resolve("member-x")).doesNotExist();
    }

    @Test
    void aLeaseThatCannotBeReadKeepsNobodyFromTheRest() throws IOException {
        ShardLeases one = leases("a");
        ShardLeases two = leases("b");
        rounds(4, one, two);
        Files.delete(folder.resolve("lease-0"));
        Files.createDirectory(folder.resolve("lease-0"));
        for (int i = 0; i < 12; i++) {
            clocks.passTime(Duration.ofSeconds(2));
            for (ShardLeases each : List.of(one, two)) {
                assertThatThrownBy(each::step).isInstanceOf(IOException.class);
            }
        }
        assertThat(one.held().size() + two.held().size()).isEqualTo(15);
        assertThat(one.work()).isFalse();
    }

    /** Fills a volume until not even a file of one byte has room, however often it is tried. */
    private static void fill(MountedVolume volume) throws Exception {
        Path ballast = Files.createDirectories(volume.path().resolve("ballast"));
        int refusals = 0;
        for (int i = 0; refusals < 5; i++) {
            Path file = ballast.resolve("file-" + i);
            try (OutputStream out = Files.newOutputStream(file)) {
                out.write(1);
                refusals = 0;
                while (true) {
                    out.write(new byte[4096]);
                }
            } catch (IOException full) {
                assertThat(full).hasMessageContaining("No space left");
                refusals += Files.exists(file) && Files.size(file) > 0 ? 0 : 1;
                MountedVolume.run("sync", "-f", volume.path().toString());
            }
        }
    }

    private static void empty(MountedVolume volume) throws Exception {
        MountedVolume.run("rm", "-r", volume.path().resolve("ballast").toString());
    }

    @ParameterizedTest
    @EnumSource
    void onAVolumeWithoutAFreeByteLeasesAreRenewedAndTakenOver(MountedVolume.Kind kind) throws Exception {
        try (MountedVolume volume = MountedVolume.mount(folder, kind, "relatime")) {
            Path own = volume.path().resolve(".tidemark");
            ShardLeases one = new ShardLeases(own, "a", clocks, LASTS.toNanos(), other -> false, new JointDeletion());
            ShardLeases two = new ShardLeases(own, "b", clocks, LASTS.toNanos(), other -> false, new JointDeletion());
            rounds(4, one, two);
            fill(volume);
            rounds(10, one, two);
            assertThat(one.held()).hasSize(8);
            assertThat(two.held()).hasSize(8);
            rounds(10, two);
            assertThat(two.held()).as("nobody else is there any more").hasSize(16);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoStartsOnAVolumeWithoutAFreeByteTakesAllUnlessAnotherIsSeen(MountedVolume.Kind kind) throws Exception {
        try (MountedVolume volume = MountedVolume.mount(folder, kind, "relatime")) {
            Path own = volume.path().resolve(".tidemark");
            Files.createDirectories(own);
            fill(volume);
            ShardLeases one = new ShardLeases(own, "a", clocks, LASTS.toNanos(), other -> false, new JointDeletion());
            assertThatThrownBy(one::step).hasMessageContaining("No space left");
            assertThat(one.held()).hasSize(16);
            assertThat(one.work()).isFalse();
            empty(volume);
            one.step();
            assertThat(one.held()).hasSize(16);
            assertThat(one.work()).isTrue();

            fill(volume);
            ShardLeases two = new ShardLeases(own, "b", clocks, LASTS.toNanos(), other -> false, new JointDeletion());
            for (int i = 0; i < 6; i++) {
                clocks.passTime(Duration.ofSeconds(2));
                one.step();
                assertThatThrownBy(two::step).hasMessageContaining("No space left");
                assertThat(two.held()).as("the other one is seen").isEmpty();
            }
            assertThat(one.held()).hasSize(16);
            clocks.passTime(LASTS);
            assertThatThrownBy(two::step).hasMessageContaining("No space left");
            assertThat(two.held()).as("nobody has been seen for long").hasSize(16);
        }
    }

    @Test
    void thisProcessIsNotDeadAndAProcessWithItsNumberButAnotherStartIs() {
        String own = SweeperId.next();
        assertThat(SweeperId.isDead(own)).isFalse();
        assertThat(SweeperId.next()).isNotEqualTo(own);
        String startedAtAnotherTime = own.replaceFirst("(\\d+)(-\\d+)$", "$11$2");
        assertThat(startedAtAnotherTime).isNotEqualTo(own);
        assertThat(SweeperId.isDead(startedAtAnotherTime)).isTrue();
        assertThat(SweeperId.isDead("otherhost-1-1-1-1")).isFalse();
    }
}
