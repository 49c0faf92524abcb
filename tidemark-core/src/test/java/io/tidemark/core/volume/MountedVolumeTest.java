package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.NativeDirectoryCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The sweeper on real file systems, as root: what a pretended fill level cannot show. */
@Timeout(180)
class MountedVolumeTest {
    private static final String RANK = "m_0123456789ab_r0";
    private static final int BATCH = 10;
    private static final int INODE_BYTES = 512;
    private static final double TARGET = 70;
    private static final long PATIENCE_SECONDS = 60;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    private Path folder;

    private final TestClocks clocks = new TestClocks();

    private RunningSweeper start(MountedVolume volume, UnaryOperator<RunningSweeper.Settings> change) {
        return new RunningSweeper(RunningSweeper.config(volume.path(), change), new NativeDirectoryCalls(), clocks);
    }

    private static CacheFiles cache(MountedVolume volume) throws IOException {
        CacheFiles cache = new CacheFiles(volume.path().resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        return cache;
    }

    /** The first the youngest, and made last: a walk that goes on meanwhile finds colder ones than those still to come. */
    private static List<Path> blocks(CacheFiles cache, int count) throws IOException {
        List<Path> blocks = new ArrayList<>();
        for (int i = count - 1; i >= 0; i--) {
            blocks.addFirst(cache.block(RANK, i * 4096 + i % 7, Duration.ofHours(24 + i)));
        }
        return blocks;
    }

    /** Blocks of 4 KiB that take up so much of the volume, up to a bound. */
    private static int countFor(MountedVolume volume, double percent) throws IOException {
        return (int) Math.min(3_000, volume.totalBytes() * percent / 100 / CacheFiles.FILE_BYTES);
    }

    @ParameterizedTest
    @EnumSource(MountedVolume.Kind.class)
    void theColdestGoDownToTheTargetAndNoBatchFurther(MountedVolume.Kind kind) throws Exception {
        try (MountedVolume volume = MountedVolume.mount(folder, kind, "relatime")) {
            List<Path> blocks = blocks(cache(volume), countFor(volume, 30));
            volume.fillTo(71.5);
            double before = volume.usedPercent();
            try (RunningSweeper running = start(volume, settings -> {
                settings.thresholds = new Thresholds(71, TARGET, 95, 0);
                return settings;
            })) {
                assertThat(running.awaitEnded(PATIENCE_SECONDS)).isTrue();
            }
            assertThat(before).isGreaterThan(71);
            assertThat(volume.usedPercent()).isLessThanOrEqualTo(TARGET);
            double percentBelow = 100.0 * 2 * BATCH * (CacheFiles.FILE_BYTES + INODE_BYTES) / volume.totalBytes();
            assertThat(volume.usedPercent())
                    .as("at most a batch below, and what goes with the files: folders, inodes")
                    .isGreaterThan(TARGET - 0.3 - percentBelow);
            List<Path> gone =
                    blocks.stream().filter(path -> !Files.exists(path)).toList();
            assertThat(gone).isNotEmpty();
            // files go by directory: inodes and folders given back beside the blocks end it early, with some colder
            // files left, fewer than were still to go
            long stillToGo =
                    Math.round((before - TARGET) / 100 * volume.totalBytes() / CacheFiles.FILE_BYTES) - gone.size();
            int slack = BATCH + Math.max(0, (int) stillToGo);
            Set<Path> coldest =
                    new HashSet<>(blocks.subList(Math.max(0, blocks.size() - gone.size() - slack), blocks.size()));
            assertThat(coldest).containsAll(gone);
        }
    }

    @Test
    void g67_anImmutableFileStaysAndItsNeighboursGo() throws Exception {
        try (MountedVolume volume = MountedVolume.mount(folder, MountedVolume.Kind.EXT4, "relatime")) {
            List<Path> blocks = blocks(cache(volume), 400);
            Path immutable = blocks.getLast();
            volume.fillTo(71.5);
            MountedVolume.run("chattr", "+i", immutable.toString());
            try (RunningSweeper running = start(volume, settings -> {
                settings.thresholds = new Thresholds(71, TARGET, 95, 0);
                return settings;
            })) {
                assertThat(running.awaitEnded(PATIENCE_SECONDS)).isTrue();
                assertThat(running.listener.warnings.stream().filter(text -> text.contains("EPERM")))
                        .hasSize(1);
            } finally {
                MountedVolume.run("chattr", "-i", immutable.toString());
            }
            assertThat(immutable).exists();
            assertThat(blocks.get(blocks.size() - 2)).doesNotExist();
        }
    }

    @Test
    void aVolumeThatIsReadOnlyForAWhileIsSweptWhenItIsWritableAgain() throws Exception {
        try (MountedVolume volume = MountedVolume.mount(folder, MountedVolume.Kind.EXT4, "relatime")) {
            List<Path> blocks = blocks(cache(volume), 400);
            volume.fillTo(71.5);
            volume.remount("ro");
            try (RunningSweeper running = start(volume, settings -> {
                settings.thresholds = new Thresholds(71, TARGET, 95, 0);
                return settings;
            })) {
                assertThat(running.listener.started.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .isTrue();
                await(() -> running.listener.warnings.stream().anyMatch(text -> text.contains("EROFS")));
                running.awaitPasses(1, PATIENCE_SECONDS);
                assertThat(blocks).allMatch(Files::exists);
                assertThat(running.listener.warnings).as("no flood of lines").hasSizeLessThan(6);
                volume.remount("rw");
                assertThat(running.awaitEnded(PATIENCE_SECONDS)).isTrue();
            }
            List<Path> gone =
                    blocks.stream().filter(block -> !Files.exists(block)).toList();
            assertThat(gone).isNotEmpty();
            assertThat(blocks.subList(blocks.size() - gone.size(), blocks.size()))
                    .as("the coldest")
                    .containsExactlyElementsOf(gone);
        }
    }

    @Test
    void g59_aVolumeOutOfInodesIsSweptThoughItHasBytes() throws Exception {
        try (MountedVolume volume = MountedVolume.mount(folder, MountedVolume.Kind.EXT4, "relatime", "-N", "2048")) {
            CacheFiles cache = cache(volume);
            int made = 0;
            boolean full = false;
            while (!full) {
                try {
                    Path file = cache.root.resolve(RANK + String.format("/abc/de_g0/%016x.bin", made));
                    Files.createDirectories(file.getParent());
                    CacheFiles.used(Files.createFile(file), Duration.ofHours(24 + made));
                    made++;
                } catch (IOException outOfInodes) {
                    full = true;
                }
            }
            assertThat(volume.usedPercent()).isLessThan(50);
            try (RunningSweeper running = start(volume, settings -> settings)) {
                assertThat(running.awaitEnded(PATIENCE_SECONDS)).isTrue();
            }
            assertThat((double) cache.blocks().size() / made).isBetween(0.65, 0.71);
        }
    }

    @Test
    void aVolumeThatIsFullToTheLastByteIsSwept() throws Exception {
        try (MountedVolume volume = MountedVolume.mount(folder, MountedVolume.Kind.EXT4, "relatime")) {
            CacheFiles cache = cache(volume);
            boolean full = false;
            for (int i = 0; !full; i++) {
                try {
                    cache.block(RANK, i * 4096, Duration.ofHours(24 + i));
                } catch (IOException noSpace) {
                    full = true;
                }
            }
            try (RunningSweeper running = start(volume, settings -> settings)) {
                assertThat(running.awaitEnded(PATIENCE_SECONDS)).isTrue();
                assertThat(running.listener.warnings).anyMatch(text -> text.contains("critical"));
            }
            assertThat(volume.usedPercent()).isBetween(TARGET - 1, TARGET);
        }
    }

    @ParameterizedTest
    @CsvSource({"strictatime,ATIME_LIVE", "relatime,ATIME_RELATIME", "noatime,MTIME_FIFO"})
    void theSourceOfRecencyIsWhatTheMountSays(String option, RecencySource source) throws Exception {
        try (MountedVolume volume = MountedVolume.mount(folder, MountedVolume.Kind.EXT4, option)) {
            blocks(cache(volume), 10);
            try (RunningSweeper running = start(volume, settings -> settings)) {
                await(() -> running.sweeper.status().recencySource() == source);
            }
        }
    }

    @Test
    void g121_onARelatimeMountFilesThatAreReadAndLoggedStay() throws Exception {
        try (MountedVolume volume = MountedVolume.mount(folder, MountedVolume.Kind.EXT4, "relatime")) {
            CacheFiles cache = cache(volume);
            List<Path> blocks = blocks(cache, 1_000);
            List<Path> read = blocks.subList(950, 1_000);
            StringBuilder log = new StringBuilder();
            for (Path path : read) {
                Files.readAllBytes(path);
                Files.readAllBytes(path);
                log.append(path.getFileName().toString().replace(".bin", "")).append('\n');
                CacheFiles.used(path, Duration.ofHours(1_000));
            }
            Files.writeString(cache.root.resolve(RANK).resolve(TouchLog.FILE), log);
            try (RunningSweeper running = start(volume, settings -> {
                // no step of the filling earlier, or the two work against each other until nothing is left
                settings.thresholds = new Thresholds(71.45, TARGET, 95, 0);
                return settings;
            })) {
                running.awaitPasses(1, PATIENCE_SECONDS);
                clocks.passTime(Duration.ofSeconds(2));
                await(() -> running.sweeper.status().recencySource() == RecencySource.TOUCH_LOG);
                volume.fillTo(71.5);
                assertThat(running.awaitEnded(PATIENCE_SECONDS)).isTrue();
            }
            assertThat(read).allMatch(Files::exists);
        }
    }

    @Test
    void aNameThatIsNoUtf8BlocksNobody() throws Exception {
        try (MountedVolume volume = MountedVolume.mount(folder, MountedVolume.Kind.EXT4, "relatime")) {
            CacheFiles cache = cache(volume);
            List<Path> blocks = blocks(cache, 400);
            Path leaf = blocks.getLast().getParent();
            MountedVolume.run(
                    "sh",
                    "-c",
                    "cd '" + leaf
                            + "' && f=$(printf '\\377\\376bad.bin') && echo x > \"$f\" && touch -d '2 years ago' \"$f\"");
            volume.fillTo(71.5);
            try (RunningSweeper running = start(volume, settings -> {
                settings.thresholds = new Thresholds(71, TARGET, 95, 0);
                settings.layout = new LooseFsLayout(3);
                return settings;
            })) {
                assertThat(running.awaitEnded(PATIENCE_SECONDS)).isTrue();
            }
            try (var left = Files.list(leaf)) {
                assertThat(left.filter(path -> path.toString().endsWith("bad.bin")))
                        .as("the loose layout takes any name")
                        .isEmpty();
            } catch (java.nio.file.NoSuchFileException folderGone) {
                assertThat(leaf).doesNotExist();
            }
            assertThat(blocks.getFirst()).exists();
        }
    }

    @Test
    void g118_aVolumeThatIsMountedAfterTheStartGoesAndComesBackIsSweptEachTime() throws Exception {
        Path bare = Files.createDirectories(folder.resolve("mount"));
        try (RunningSweeper running = new RunningSweeper(
                RunningSweeper.config(bare, settings -> {
                    settings.thresholds = new Thresholds(71, TARGET, 95, 0);
                    settings.leases = true;
                    // as by default: less than the steps of the clock would be quiet at once
                    settings.intervalMillis = 500;
                    return settings;
                }),
                new NativeDirectoryCalls(),
                clocks)) {
            await(() -> running.sweeper.status().problem().contains("is not there"));
            assertThat(bare).as("nothing is mounted yet").isEmptyDirectory();
            try (MountedVolume volume = MountedVolume.mount(folder, MountedVolume.Kind.EXT4, "relatime")) {
                List<Path> blocks = blocks(cache(volume), countFor(volume, 30));
                awaitSwept(volume, running);
                unmountWhenFree(volume);
                awaitPassing(() -> running.sweeper.status().usage().isEmpty());
                String away = "nothing is mounted at " + bare + " any more";
                assertThat(running.sweeper.unready()).isEqualTo(away);
                assertThat(running.sweeper.status().problem())
                        .as("the cause, not what follows")
                        .isEqualTo(away);
                assertThat(running.listener.warnings).anyMatch(text -> text.startsWith(away));
                assertThat(bare).as("the volume is away").isEmptyDirectory();
                MountedVolume.run("mount", "-o", "loop", folder.resolve("image").toString(), bare.toString());
                awaitSwept(volume, running);
                assertThat(running.listener.warnings.stream()
                                .filter(text -> text.matches(
                                        "the volume " + bare + " is there again after \\d+\\.\\d s; before: " + away)))
                        .as("once")
                        .hasSize(1);
                assertThat(running.sweeper.unready()).isEmpty();
                assertThat(blocks.getFirst()).exists();
            }
        }
    }

    /** Fills the volume above its mark, and waits until it is at its target. */
    private void awaitSwept(MountedVolume volume, RunningSweeper running) throws Exception {
        volume.fillAtOnce(72);
        awaitPassing(() -> volume.usedPercent() <= TARGET
                && !running.sweeper.status().deleting()
                && running.sweeper.status().usage().isPresent());
        assertThat(running.sweeper.status().problem()).isEmpty();
    }

    private static void unmountWhenFree(MountedVolume volume) throws Exception {
        await(() -> {
            try {
                MountedVolume.run("umount", volume.path().toString());
                return true;
            } catch (Exception busy) {
                return false;
            }
        });
    }

    private void awaitPassing(Condition condition) throws Exception {
        await(() -> {
            clocks.passTime(Duration.ofMillis(500));
            TimeUnit.MILLISECONDS.sleep(45);
            return condition.holds();
        });
    }

    @Test
    void aTargetThatOtherDataKeepsOutOfReachCostsTheCacheButNoProcessor() throws Exception {
        try (MountedVolume volume = MountedVolume.mount(folder, MountedVolume.Kind.EXT4, "relatime")) {
            CacheFiles cache = cache(volume);
            Path ballast = volume.fillTo(84);
            List<Path> young = List.of(cache.block(RANK, 1, Duration.ofMinutes(1)));
            blocks(cache, countFor(volume, 3));
            try (RunningSweeper running = start(volume, settings -> {
                settings.thresholds = new Thresholds(85, TARGET, 95, 3_600);
                return settings;
            })) {
                await(() -> cache.blocks().size() <= 2);
                long passes = running.sweeper.status().passes();
                TimeUnit.SECONDS.sleep(3);
                assertThat(running.sweeper.status().passes() - passes).isLessThanOrEqualTo(4);
            }
            assertThat(ballast).exists();
            assertThat(young).allMatch(Files::exists);
        }
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.holds()) {
            assertThat(System.nanoTime() - end)
                    .as("waited %d s", PATIENCE_SECONDS)
                    .isNegative();
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
