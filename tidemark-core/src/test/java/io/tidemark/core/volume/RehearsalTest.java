package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rehearsal says what would be, over as many walks as it takes: files that stay are found again by each. */
class RehearsalTest {
    private static final String RANK = "m_0123456789ab_r0";
    private static final int FILES = 300;

    @TempDir
    private Path mount;

    private final TestClocks clocks = new TestClocks();
    private final TwinCalls calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);
    private List<Path> blocks;

    @BeforeEach
    void volume() throws IOException {
        CacheFiles cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        blocks = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            blocks.add(cache.block(RANK, i, Duration.ofHours(24 + i)));
        }
        calls.usedBytes.set(900L * CacheFiles.FILE_BYTES);
    }

    private RunningSweeper start(UnaryOperator<RunningSweeper.Settings> change) {
        UnaryOperator<RunningSweeper.Settings> dry = settings -> {
            settings.mode = SweepMode.DRY_RUN;
            settings.passSeconds = 1;
            return change.apply(settings);
        };
        return new RunningSweeper(RunningSweeper.config(mount, dry), calls, clocks);
    }

    @Test
    void whenOnlyFewMayGoTheyAreListedOnceAndTheTargetIsCalledOutOfReach() throws Exception {
        long floorSeconds = Duration.ofHours(24 + FILES - 50).toSeconds() - 600;
        try (RunningSweeper running = start(settings -> {
            settings.thresholds = new Thresholds(85, 70, 95, floorSeconds);
            return settings;
        })) {
            await(() -> !running.listener.rehearsed.isEmpty());
            RecordingListener.Rehearsed end = running.listener.rehearsed.getFirst();
            assertThat(end.end()).isEqualTo(RehearsalEnd.OUT_OF_REACH);
            assertThat(end.wouldBe().percent()).isEqualTo(85);
            assertThat(end.sum().files()).isEqualTo(50);
            passes(running, 3);
            assertThat(running.listener.wouldRemove).hasSize(50).doesNotHaveDuplicates();
            assertThat(running.listener.rehearsed).hasSize(1);
            assertThat(running.sweeper.status().deleting()).isFalse();
        }
    }

    @Test
    void whatHasExpiredIsCountedOnceAndNoMoreOnceAnotherHasRemovedIt() throws Exception {
        calls.usedBytes.set(500L * CacheFiles.FILE_BYTES);
        try (RunningSweeper running = start(settings -> {
            settings.ttlSeconds =
                    Map.of("m_0123456789ab", Duration.ofHours(24 + FILES - 60).toSeconds() - 600);
            return settings;
        })) {
            await(() -> running.sweeper.rehearsal().files() == 60);
            passes(running, 4);
            assertThat(running.sweeper.rehearsal().files()).isEqualTo(60);
            assertThat(running.sweeper.rehearsal().bytes()).isEqualTo(60L * CacheFiles.FILE_BYTES);
            assertThat(running.listener.wouldRemove).hasSize(60).doesNotHaveDuplicates();
            for (Path other : blocks.subList(FILES - 20, FILES)) {
                Files.delete(other);
            }
            passes(running, 2);
            assertThat(running.sweeper.rehearsal().files()).isEqualTo(40);
            calls.usedBytes.set(990L * CacheFiles.FILE_BYTES);
            assertThat(running.listener.started.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aBufferSmallerThanTheNeedTakesMoreWalksAndListsTheSame() throws Exception {
        try (RunningSweeper running = start(settings -> {
            settings.readyBuffer = 40;
            return settings;
        })) {
            await(() -> !running.listener.rehearsed.isEmpty());
            RecordingListener.Rehearsed end = running.listener.rehearsed.getFirst();
            assertThat(end.end()).isEqualTo(RehearsalEnd.AT_TARGET);
            assertThat(end.sum().files()).isEqualTo(200);
            assertThat(running.listener.wouldRemove).hasSize(200).doesNotHaveDuplicates();
        }
    }

    @Test
    void filesAreKnownOnceForgottenWhenGoneAndNoMoreThanThereIsRoomFor() {
        long seed = System.nanoTime();
        System.err.println("seed " + seed);
        Random random = new Random(seed);
        RankDir rank = RankDir.of("m_r0", Optional.empty());
        RehearsedFiles files = new RehearsedFiles(5_000);
        Set<Integer> known = new HashSet<>();
        for (int round = 0; round < 5; round++) {
            files.walkBegins();
            Set<Integer> there = new HashSet<>();
            for (int number : known) {
                if (random.nextBoolean()) {
                    assertThat(files.found(rank, file(rank, number).path())).isTrue();
                    there.add(number);
                }
            }
            for (int i = 0; i < 2_000; i++) {
                int number = random.nextInt(4_000);
                boolean news = known.add(number);
                assertThat(files.add(file(rank, number), 4096))
                        .isEqualTo(news ? RehearsedFiles.Added.NEW : RehearsedFiles.Added.KNOWN);
                if (news) {
                    there.add(number);
                }
            }
            files.walkEnded();
            known.retainAll(there);
            assertThat(files.sum().files()).isEqualTo(known.size());
            assertThat(files.sum().bytes()).isEqualTo(4096L * known.size());
        }
        for (int number = 10_000; files.sum().files() < 5_000; number++) {
            files.add(file(rank, number), 4096);
        }
        assertThat(files.add(file(rank, 99_999), 4096)).isEqualTo(RehearsedFiles.Added.FULL);
        files.told();
        assertThat(files.sum().files()).isZero();
        assertThat(files.isEmpty()).isFalse();
        files.clear();
        assertThat(files.add(file(rank, 99_999), 4096)).isEqualTo(RehearsedFiles.Added.NEW);
    }

    private static VolumeFile file(RankDir rank, int number) {
        byte[] path = ("abc/de_g0/" + String.format("%016x", number) + ".bin").getBytes(StandardCharsets.US_ASCII);
        return new VolumeFile(rank, path, number, 10, new Seen(1, 4096, 0), RemovalCause.CAPACITY);
    }

    private void passes(RunningSweeper running, int more) throws Exception {
        long wanted = running.sweeper.status().passes() + more;
        await(() -> {
            clocks.passTime(Duration.ofMillis(300));
            return running.sweeper.status().passes() >= wanted;
        });
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private void await(Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (!condition.holds()) {
            assertThat(System.nanoTime() - end).as("waited 40 s").isNegative();
            clocks.passTime(Duration.ofMillis(20));
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
