package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardLeasesTest {
    private static final Duration LASTS = Duration.ofSeconds(15);

    @TempDir
    private Path folder;

    private final TestClocks clocks = new TestClocks();

    private ShardLeases leases(String id) {
        return new ShardLeases(folder, id, clocks, LASTS.toNanos(), other -> false);
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
        ShardLeases two = new ShardLeases(folder, "b", clocks, LASTS.toNanos(), "a"::equals);
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
