package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.MemoryDir;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole sweeper on real files, on a volume whose fill level is pretended. */
class SweeperTest {
    private static final int FILES = 200;
    private static final String RANK = "m_0123456789ab_r0";

    @TempDir(factory = MemoryDir.class)
    private Path mount;

    private final TestClocks clocks = new TestClocks();
    private CacheFiles cache;
    private TwinCalls calls;

    @BeforeEach
    void volume() throws IOException {
        cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        calls = new TwinCalls(100L * CacheFiles.FILE_BYTES * 10, 0);
        usedFiles(900);
    }

    private void usedFiles(long files) {
        calls.usedBytes.set(files * CacheFiles.FILE_BYTES);
    }

    /** Blocks, the first the youngest: a day and an hour for each. */
    private List<Path> blocks(int count) throws IOException {
        List<Path> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blocks.add(cache.block(RANK, i, Duration.ofHours(24 + i)));
        }
        return blocks;
    }

    private RunningSweeper start(UnaryOperator<RunningSweeper.Settings> change) {
        return new RunningSweeper(RunningSweeper.config(mount, change), calls, clocks);
    }

    @Test
    void removesExactlyTheColdestDownToTheTarget() throws Exception {
        List<Path> blocks = blocks(400);
        try (RunningSweeper running = start(settings -> settings)) {
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(blocks.subList(0, 200)).allMatch(Files::exists);
        assertThat(blocks.subList(200, 400)).noneMatch(Files::exists);
        assertThat(calls.usedBytes.get()).isEqualTo(700L * CacheFiles.FILE_BYTES);
    }

    @Test
    void severalDeletersTogetherRemoveTheSameFiles() throws Exception {
        List<Path> blocks = blocks(400);
        try (RunningSweeper running = start(settings -> {
            settings.deleters = 4;
            settings.batch = 16;
            return settings;
        })) {
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(cache.blocks()).as("at most one batch below the target").hasSizeBetween(184, 200);
        assertThat(blocks.subList(0, 184)).allMatch(Files::exists);
    }

    @Test
    void aVolumeThatGivesBackLateIsNotSweptTooFar() throws Exception {
        List<Path> blocks = blocks(400);
        calls.lagNanos = TimeUnit.SECONDS.toNanos(2);
        try (RunningSweeper running = start(settings -> {
            settings.deleters = 2;
            settings.intervalMillis = 250;
            return settings;
        })) {
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(cache.blocks()).as("at most one batch below the target").hasSizeBetween(190, 200);
        assertThat(blocks.subList(0, 190)).allMatch(Files::exists);
    }

    @Test
    void g05_filesReadAfterTheyWereFoundStayWhileColderOnesRemain() throws Exception {
        usedFiles(800);
        List<Path> blocks = blocks(400);
        try (RunningSweeper running = start(settings -> settings)) {
            running.awaitPasses(1, 30);
            for (Path read : blocks.subList(350, 400)) {
                CacheFiles.used(read, Duration.ZERO);
            }
            usedFiles(900);
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(blocks.subList(350, 400)).allMatch(Files::exists);
        assertThat(blocks.subList(150, 350)).noneMatch(Files::exists);
        assertThat(blocks.subList(0, 150)).allMatch(Files::exists);
    }

    /** Files of 4 KiB to 16 MiB of one byte each, their number, the first the youngest. */
    private List<Path> filled(int count) throws IOException {
        int[] sizes = {4_096, 65_536, 4_096, 1 << 20};
        List<Path> blocks = blocks(count);
        for (int i = 0; i < count; i++) {
            byte[] content = new byte[i % 60 == 30 ? 16 << 20 : sizes[i % sizes.length]];
            Arrays.fill(content, (byte) i);
            Files.write(blocks.get(i), content);
            CacheFiles.used(blocks.get(i), Duration.ofHours(24 + i));
        }
        return blocks;
    }

    /** Reads a file as an engine does: whole, or a miss. */
    private static boolean read(Path file, long bytes, byte content) throws IOException {
        try {
            byte[] found = Files.readAllBytes(file);
            assertThat(found).hasSize((int) bytes);
            assertThat(Arrays.mismatch(found, repeated(content, found.length))).isEqualTo(-1);
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private static byte[] repeated(byte content, int length) {
        byte[] out = new byte[length];
        Arrays.fill(out, content);
        return out;
    }

    @Test
    void g124_whoReadsWhileFilesGoGetsAllTheRightBytesOrAMiss() throws Exception {
        List<Path> blocks = filled(120);
        List<Long> sizes = new ArrayList<>();
        for (Path block : blocks) {
            sizes.add(Files.size(block));
        }
        long total = 2 * sizes.stream().mapToLong(Long::longValue).sum();
        calls = new TwinCalls(total, 0);
        calls.usedBytes.set(total / 10 * 9);
        AtomicInteger misses = new AtomicInteger();
        AtomicInteger reads = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        try {
            for (int reader = 0; reader < 2; reader++) {
                Random random = new Random(reader);
                readers.add(CompletableFuture.runAsync(() -> {
                    try {
                        while (!over.get()) {
                            int block = random.nextInt(blocks.size());
                            (read(blocks.get(block), sizes.get(block), (byte) block) ? reads : misses)
                                    .incrementAndGet();
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }));
            }
            await(() -> reads.get() > 0);
            try (RunningSweeper running = start(settings -> settings)) {
                assertThat(running.awaitEnded(30)).isTrue();
            }
            over.set(true);
            CompletableFuture.allOf(readers.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
        } finally {
            over.set(true);
        }
        assertThat(calls.usedBytes.get()).isLessThanOrEqualTo(total / 10 * 7 + 1);
    }

    @Test
    void g67_filesThatRefuseToGoAreLeftOutAndTheRestGoesOn() throws Exception {
        List<Path> blocks = blocks(FILES * 2);
        for (Path coldest : blocks.subList(397, 400)) {
            calls.unlinkErrors.put(coldest.getFileName().toString(), Errno.EPERM);
        }
        try (RunningSweeper running = start(settings -> settings)) {
            assertThat(running.awaitEnded(30)).isTrue();
            assertThat(running.listener.warnings.stream().filter(text -> text.contains("EPERM")))
                    .hasSize(1);
            assertThat(running.listener.removed.get()).isEqualTo(200);
        }
        assertThat(blocks.subList(397, 400)).allMatch(Files::exists);
        assertThat(blocks.subList(197, 397)).noneMatch(Files::exists);
    }

    @Test
    void g67_moreThanIsKeptReadyRefusesAndWhatCanGoGoes() throws Exception {
        List<Path> blocks = blocks(400);
        for (Path coldest : blocks.subList(40, 400)) {
            calls.unlinkErrors.put(coldest.getFileName().toString(), Errno.EPERM);
        }
        try (RunningSweeper running = start(settings -> settings)) {
            await(() -> running.listener.removed.get() == 40);
        }
        assertThat(blocks.subList(40, 400)).allMatch(Files::exists);
    }

    @Test
    void startAndEndOfDeletionWaitForNoInterval() throws Exception {
        blocks(400);
        try (RunningSweeper running = start(settings -> {
            settings.intervalMillis = Duration.ofMinutes(30).toMillis();
            settings.deleters = 4;
            settings.batch = 16;
            return settings;
        })) {
            assertThat(running.awaitEnded(60)).isTrue();
        }
    }

    @Test
    void deletionStopsByItselfWhenTheActivatorDies() throws Exception {
        blocks(400);
        try (RunningSweeper running = start(settings -> {
            settings.filesPerSecond = 20;
            return settings;
        })) {
            assertThat(running.listener.started.await(30, TimeUnit.SECONDS)).isTrue();
            running.killActivator();
            clocks.passTime(Duration.ofSeconds(5));
            TimeUnit.MILLISECONDS.sleep(100);
            long left = cache.blocks().size();
            TimeUnit.MILLISECONDS.sleep(300);
            assertThat(cache.blocks()).hasSize((int) left);
            assertThat(left).isGreaterThan(200);
        }
    }

    @Test
    void belowTheCriticalMarkTheAgeFloorProtectsAndAboveItTheColdestGo() throws Exception {
        List<Path> blocks = blocks(400);
        Thresholds floor = new Thresholds(85, 70, 95, Duration.ofDays(365).toSeconds());
        try (RunningSweeper running = start(settings -> {
            settings.thresholds = floor;
            return settings;
        })) {
            assertThat(running.listener.started.await(30, TimeUnit.SECONDS)).isTrue();
            running.awaitPasses(1, 30);
            TimeUnit.MILLISECONDS.sleep(200);
            assertThat(cache.blocks()).hasSize(400);
            usedFiles(960);
            await(() -> running.listener.warnings.stream().anyMatch(text -> text.contains("critical")));
            await(() -> calls.usedBytes.get() < 960L * CacheFiles.FILE_BYTES);
        }
        assertThat(cache.blocks()).hasSizeLessThan(400);
        assertThat(blocks.subList(0, 140))
                .as("only of the 260 coldest, which are above the target; among them it goes by directory")
                .allMatch(Files::exists);
    }

    @Test
    void oneWalkIsEnoughForAVolumeAtRest() throws Exception {
        usedFiles(100);
        blocks(100);
        try (RunningSweeper running = start(settings -> settings)) {
            running.awaitPasses(1, 30);
            clocks.passTime(Duration.ofMinutes(30));
            TimeUnit.MILLISECONDS.sleep(500);
            assertThat(running.sweeper.status().passes()).isEqualTo(1);
        }
    }

    @Test
    void linksAreNeitherFollowedNorRemoved() throws Exception {
        Path outside = mount.resolve("outside");
        Path victim = new CacheFiles(outside).file("de_g0/0123456789abcdef.bin", Duration.ofDays(900));
        Files.createDirectories(cache.root.resolve(RANK + "/aaa/bb_g0"));
        Files.createSymbolicLink(cache.root.resolve(RANK + "/bad"), outside);
        Path link = cache.root.resolve(RANK + "/aaa/bb_g0/fedcba9876543210.bin");
        Files.createSymbolicLink(link, victim);
        blocks(400);
        try (RunningSweeper running = start(settings -> settings)) {
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(victim).exists();
        assertThat(Files.isSymbolicLink(link)).isTrue();
    }

    @Test
    void g123_whatWasRemovedOrReplacedByHandIsPassedOver() throws Exception {
        usedFiles(800);
        List<Path> blocks = blocks(400);
        try (RunningSweeper running = start(settings -> settings)) {
            running.awaitPasses(1, 30);
            for (int i = 300; i < 400; i += 3) {
                Files.delete(blocks.get(i));
                if (i % 2 == 0) {
                    Files.createDirectory(blocks.get(i));
                }
            }
            usedFiles(900);
            assertThat(running.awaitEnded(30)).isTrue();
            assertThat(running.listener.removed.get()).isEqualTo(200);
        }
        assertThat(Files.isDirectory(blocks.get(300))).isTrue();
    }

    @Test
    void g90_orphansOfDeadWritersGoAndYoungOrForeignTemporaryFilesStay() throws Exception {
        usedFiles(100);
        String leaf = RANK + "/abc/de_g0/";
        Path old = cache.file(leaf + "0123456789abcdef.bin_7.tmp", Duration.ofDays(1));
        Path young = cache.file(leaf + "0123456789abcdee.bin_7.tmp", Duration.ofMinutes(1));
        Path foreign = cache.file(leaf + "x.tmp", Duration.ofDays(1));
        try (RunningSweeper running = start(settings -> settings)) {
            running.awaitPasses(1, 30);
            await(() -> !Files.exists(old));
        }
        assertThat(young).exists();
        assertThat(foreign).exists();
    }

    @Test
    void timeToLiveAndQuotaOfAModelHoldBelowTheMarkToo() throws Exception {
        usedFiles(100);
        List<Path> expiring = new ArrayList<>();
        List<Path> limited = new ArrayList<>();
        blocks(1);
        for (int i = 0; i < 100; i++) {
            expiring.add(cache.block("short_r0", i, Duration.ofHours(1 + i)));
            limited.add(cache.block("big_r0", i, Duration.ofHours(1 + i)));
        }
        try (RunningSweeper running = start(settings -> {
            settings.ttlSeconds = Map.of("short", Duration.ofHours(50).toSeconds());
            settings.quotaBytes = Map.of("big", 40L * CacheFiles.FILE_BYTES);
            settings.passSeconds = 1;
            return settings;
        })) {
            await(() -> expiring.stream().filter(Files::exists).count() <= 50);
            await(() -> limited.stream().filter(Files::exists).count() <= 40);
            assertThat(running.sweeper.status().removedFiles()).isPositive();
        }
        assertThat(expiring.subList(0, 49)).allMatch(Files::exists);
        assertThat(limited.subList(0, 38)).allMatch(Files::exists);
    }

    @Test
    void g121_blocksNamedInATouchLogStay() throws Exception {
        usedFiles(800);
        List<Path> blocks = blocks(400);
        StringBuilder log = new StringBuilder();
        for (Path read : blocks.subList(390, 400)) {
            log.append(read.getFileName().toString().replace(".bin", "")).append('\n');
        }
        Files.writeString(cache.root.resolve(RANK).resolve(TouchLog.FILE), log.append("nonsense\n"));
        try (RunningSweeper running = start(settings -> settings)) {
            running.awaitPasses(1, 30);
            clocks.passTime(Duration.ofSeconds(2));
            await(() -> running.sweeper.status().recencySource() == RecencySource.TOUCH_LOG);
            usedFiles(900);
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(blocks.subList(390, 400)).allMatch(Files::exists);
    }

    @Test
    void aDryRunListsTheColdestEndsAndChangesNothing() throws Exception {
        blocks(400);
        try (RunningSweeper running = start(settings -> {
            settings.mode = SweepMode.DRY_RUN;
            return settings;
        })) {
            assertThat(running.awaitEnded(30)).isTrue();
            TimeUnit.MILLISECONDS.sleep(200);
            assertThat(running.listener.wouldRemove).hasSize(200).doesNotHaveDuplicates();
            RecordingListener.Rehearsed end = running.listener.rehearsed.getFirst();
            assertThat(end.measured().percent()).as("as measured").isEqualTo(90);
            assertThat(end.wouldBe().percent()).as("as it would be").isEqualTo(70);
            assertThat(end.sum().files()).isEqualTo(200);
            assertThat(end.sum().bytes()).isEqualTo(200L * CacheFiles.FILE_BYTES);
            assertThat(end.sum().youngestSeconds() - end.sum().coldestSeconds())
                    .as("an hour between two files")
                    .isBetween(199 * 3_600L - 60, 199 * 3_600L + 60);
        }
        assertThat(cache.blocks()).hasSize(400);
        assertThat(cache.root.resolve(RootGuard.OWN_FOLDER)).doesNotExist();
    }

    @Test
    void whenAllFilesAreYoungItSaysSoOnceAndStaysReady() throws Exception {
        blocks(50);
        Thresholds floor = new Thresholds(85, 70, 95, Duration.ofDays(365).toSeconds());
        try (RunningSweeper running = start(settings -> {
            settings.thresholds = floor;
            return settings;
        })) {
            awaitProblem(running, "all 50 files were used within FILE_ACCESS_TIME_THRESHOLD_MINUTES=525600");
            assertThat(running.sweeper.unready()).isEmpty();
            // the critical mark stays passed until the last of them is gone
            usedFiles(1000);
            await(() -> running.sweeper.status().problem().isEmpty());
            await(() -> cache.blocks().isEmpty());
        }
    }

    @Test
    void withoutAnyBlockItSaysThatSomethingElseFillsTheVolume() throws Exception {
        RootGuard.adopt(cache.root);
        try (RunningSweeper running = start(settings -> settings)) {
            awaitProblem(running, "no block file of the layout fs below " + cache.root);
        }
    }

    @Test
    void whenAllRefuseToGoItNamesTheError() throws Exception {
        List<Path> blocks = blocks(20);
        blocks.forEach(path -> calls.unlinkErrors.put(path.getFileName().toString(), Errno.EPERM));
        try (RunningSweeper running = start(settings -> settings)) {
            awaitProblem(running, "files refuse to go, 20 of 20 so far, the last with EPERM");
        }
    }

    /** Waits for a problem, which one warning has told, while time passes faster. */
    private void awaitProblem(RunningSweeper running, String text) throws Exception {
        await(() -> {
            clocks.passTime(Duration.ofMillis(100));
            return running.sweeper.status().problem().contains(text);
        });
        assertThat(running.listener.warnings)
                .filteredOn(line -> line.contains("nothing may go"))
                .singleElement()
                .asString()
                .contains(text);
    }

    @Test
    void aShadowComparesWithWhatAnotherEvictorRemoved() throws Exception {
        List<Path> blocks = blocks(400);
        try (RunningSweeper running = start(settings -> {
            settings.mode = SweepMode.SHADOW;
            return settings;
        })) {
            assertThat(running.awaitEnded(30)).isTrue();
            RecordingListener.Rehearsed end = running.listener.rehearsed.getFirst();
            assertThat(end.measured().percent()).isEqualTo(90);
            assertThat(end.sum().files()).isEqualTo(200);
            for (Path other : blocks.subList(100, 300)) {
                Files.delete(other);
            }
            usedFiles(690);
            await(() -> running.listener.warnings.stream().anyMatch(text -> text.contains("removed 100 (50.0%)")));
        }
    }

    @Test
    void aRootThatDoesNotProveItselfIsLeftAloneUntilAdopted() throws Exception {
        Files.delete(cache.root.resolve("m_0123456789ab/config.json"));
        blocks(400);
        try (RunningSweeper running = start(settings -> settings)) {
            await(() -> running.listener.warnings.stream().anyMatch(text -> text.contains("adopt")));
            TimeUnit.MILLISECONDS.sleep(200);
            assertThat(cache.blocks()).hasSize(400);
            RootGuard.adopt(cache.root);
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(cache.blocks()).hasSize(200);
    }

    @Test
    void nothingIsDueInARootThatDoesNotProveItself() throws Exception {
        Files.delete(cache.root.resolve("m_0123456789ab/config.json"));
        usedFiles(100);
        Path old = cache.block("short_r0", 1, Duration.ofDays(30));
        try (RunningSweeper running = start(settings -> {
            settings.ttlSeconds = Map.of("short", 1L);
            return settings;
        })) {
            await(() -> running.listener.warnings.stream().anyMatch(text -> text.contains("adopt")));
            TimeUnit.MILLISECONDS.sleep(300);
        }
        assertThat(old).exists();
    }

    @Test
    void g118_aCacheThatAppearsLaterIsPickedUp() throws Exception {
        Path elsewhere = mount.resolve("elsewhere");
        blocks(400);
        Files.move(cache.root, elsewhere);
        try (RunningSweeper running = start(settings -> settings)) {
            await(() -> running.listener.warnings.stream().anyMatch(text -> text.contains("is not there")));
            Files.move(elsewhere, cache.root);
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(cache.blocks()).hasSize(200);
    }

    @Test
    void g108_stepsOfTheWallClockRemoveNothingAndKeepTheOrder() throws Exception {
        usedFiles(800);
        List<Path> blocks = blocks(400);
        try (RunningSweeper running = start(settings -> {
            settings.passSeconds = 1;
            return settings;
        })) {
            running.awaitPasses(1, 30);
            for (Duration step : List.of(Duration.ofHours(-1), Duration.ofHours(2), Duration.ofDays(3650))) {
                clocks.stepWall(step);
                nextPass(running);
                assertThat(cache.blocks()).hasSize(400);
            }
            usedFiles(900);
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(blocks.subList(0, 195)).allMatch(Files::exists);
        assertThat(blocks.subList(205, 400)).noneMatch(Files::exists);
    }

    @Test
    void g59_inodesDriveDeletionToo() throws Exception {
        usedFiles(100);
        calls = new TwinCalls(1L << 30, 500);
        calls.usedInodes.set(450);
        List<Path> blocks = blocks(400);
        try (RunningSweeper running = start(settings -> settings)) {
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(calls.usedInodes.get()).isBetween(340L, 350L);
        assertThat(blocks.subList(0, 290)).allMatch(Files::exists);
        assertThat(blocks.subList(300, 400)).noneMatch(Files::exists);
    }

    @Test
    void twoSweepersShareTheVolumeAndStopTogetherAtTheTarget() throws Exception {
        blocks(600);
        UnaryOperator<RunningSweeper.Settings> leasing = settings -> {
            settings.leases = true;
            return settings;
        };
        usedFiles(800);
        try (RunningSweeper one = start(leasing);
                RunningSweeper two = start(leasing)) {
            // Five times as fast as the clock on the wall. Faster, and leases end while their keepers wait for a
            // processor, and walks seem to take so long that the next rests for longer than the test waits.
            await(() -> {
                TimeUnit.MILLISECONDS.sleep(200);
                clocks.passTime(Duration.ofSeconds(1));
                return one.sweeper.status().shards() + two.sweeper.status().shards() == 16
                        && two.sweeper.status().shards() > 0;
            });
            usedFiles(900);
            await(() -> calls.usedBytes.get() <= 700L * CacheFiles.FILE_BYTES);
            TimeUnit.MILLISECONDS.sleep(200);
        }
        assertThat(calls.usedBytes.get() / CacheFiles.FILE_BYTES).isBetween(680L, 700L);
    }

    /** Lets the time pass until another walk has ended. */
    private void nextPass(RunningSweeper running) throws InterruptedException {
        long passes = running.sweeper.status().passes();
        clocks.passTime(Duration.ofHours(7));
        running.awaitPasses(passes + 1, 30);
    }

    private interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    private static void await(Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (!condition.holds()) {
            assertThat(System.nanoTime() - end).as("waited 40 s").isNegative();
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
