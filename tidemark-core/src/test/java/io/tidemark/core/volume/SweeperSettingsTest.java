package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What settings of the sweeper change on real files, on a volume whose fill level is pretended: 200 files have to go. */
class SweeperSettingsTest {
    private static final String RANK = "m_0123456789ab_r0";

    @TempDir
    private Path mount;

    private final TestClocks clocks = new TestClocks();
    private final TwinCalls calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);
    private CacheFiles cache;

    @BeforeEach
    void volume() throws IOException {
        cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        calls.usedBytes.set(900L * CacheFiles.FILE_BYTES);
    }

    private RunningSweeper start(UnaryOperator<RunningSweeper.Settings> change) {
        return new RunningSweeper(RunningSweeper.config(mount, change), calls, clocks);
    }

    private static String path(String hash, int digits) {
        return RANK + "/" + hash.substring(0, digits) + "/" + hash.substring(digits, digits + 2) + "_g0/" + hash
                + ".bin";
    }

    private static String hash(int number) {
        return String.format(Locale.ROOT, "%016x", (number + 1) * 0x9E3779B97F4A7C15L);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void blocksLieInBucketsOfTheLengthThatWasChosen(int digits) throws Exception {
        List<Path> blocks = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            blocks.add(cache.file(path(hash(i), digits), Duration.ofHours(24 + i)));
        }
        Path other = cache.file(path(hash(1_000), digits + 1), Duration.ofHours(1_000));
        try (RunningSweeper running = start(settings -> {
            settings.layout = new FsLayout(digits);
            return settings;
        })) {
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(blocks.subList(0, 100)).allMatch(Files::exists);
        assertThat(blocks.subList(100, 300)).noneMatch(Files::exists);
        assertThat(other)
                .as("a bucket of another length is no part of the layout")
                .exists();
    }

    @ParameterizedTest
    @EnumSource(names = {"ATIME", "MTIME"})
    void theStampThatWasChosenSaysWhatIsColdest(RecencyRule recency) throws Exception {
        List<Path> readLately = new ArrayList<>();
        List<Path> writtenLately = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            readLately.add(stamped(i, Duration.ofHours(500 + i), Duration.ofHours(24 + i)));
            writtenLately.add(stamped(200 + i, Duration.ofHours(24 + i), Duration.ofHours(500 + i)));
        }
        try (RunningSweeper running = start(settings -> {
            settings.recency = recency;
            return settings;
        })) {
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(recency == RecencyRule.ATIME ? readLately : writtenLately).allMatch(Files::exists);
        assertThat(recency == RecencyRule.ATIME ? writtenLately : readLately).noneMatch(Files::exists);
    }

    private Path stamped(int number, Duration written, Duration read) throws IOException {
        Path file = cache.file(path(hash(number), 3), Duration.ZERO);
        Instant now = Instant.now();
        Files.getFileAttributeView(file, BasicFileAttributeView.class)
                .setTimes(FileTime.from(now.minus(written)), FileTime.from(now.minus(read)), null);
        return file;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void foldersThatBecameEmptyGoOnlyWhereTheyAreToBeCleaned(boolean folders) throws Exception {
        List<Path> emptied = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            Path block = cache.file(path(hash(i), 8), Duration.ofHours(24 + i));
            if (i >= 50) {
                emptied.add(block.getParent());
            }
        }
        try (RunningSweeper running = start(settings -> {
            settings.layout = new FsLayout(8);
            settings.folders = folders;
            settings.folderTtlSeconds = 0;
            return settings;
        })) {
            assertThat(running.awaitEnded(30)).isTrue();
            if (folders) {
                Awaitility.await().until(() -> emptied.stream().noneMatch(Files::exists));
            } else {
                TimeUnit.MILLISECONDS.sleep(300); // sixty steps of the cleaner
            }
        }
        assertThat(cache.blocks()).hasSize(50);
        assertThat(emptied).allMatch(folder -> Files.exists(folder) != folders);
    }
}
