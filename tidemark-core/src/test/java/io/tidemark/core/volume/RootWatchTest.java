package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.NativeDirectoryCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Roots of which nothing may be removed: not there, or not proven to be a cache. */
@Timeout(60)
class RootWatchTest {
    private static final Usage FULL = new Usage(90, 100, 0, 0);
    private static final Usage HALF = new Usage(50, 100, 0, 0);

    @TempDir
    private Path mount;

    private final TestClocks clocks = new TestClocks();

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("waited too long").isNegative();
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRootThatIsNotThereIsToldAtOnceWithOrWithoutLeasesAndDeletionStartsOnceItIs(boolean leases) throws Exception {
        TwinCalls calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);
        calls.usedBytes.set(900L * CacheFiles.FILE_BYTES);
        String expected = mount.resolve("cache") + " is not there (CACHE_DIRECTORY); usage 90.00 % is above the mark of"
                + " 85.00 % and nothing can be removed";
        try (RunningSweeper running = new RunningSweeper(
                RunningSweeper.config(mount, settings -> {
                    settings.leases = leases;
                    return settings;
                }),
                calls,
                clocks)) {
            await(() -> running.sweeper.status().problem().equals(expected));
            await(() -> running.listener.warnings.contains(expected));
            assertThat(running.listener.warnings)
                    .as("told once")
                    .filteredOn(expected::equals)
                    .hasSize(1);

            clocks.passTime(Duration.ofMinutes(5));
            await(() -> running.sweeper.unready().isEmpty());
            assertThat(running.sweeper.status().problem()).isEqualTo(expected);

            CacheFiles cache = new CacheFiles(mount.resolve("cache"));
            for (int i = 0; i < 250; i++) {
                cache.block("m_0123456789ab_r0", i, Duration.ofDays(2));
            }
            cache.model("m_0123456789ab", "org/m");
            await(() -> {
                clocks.passTime(Duration.ofMillis(100));
                return running.listener.ended.getCount() == 0;
            });
            assertThat(running.sweeper.status().problem()).isEmpty();
        }
    }

    @Test
    void isToldAgainAboveTheMarkAndEveryTenMinutes() {
        RecordingListener listener = new RecordingListener();
        AtomicReference<String> reason = new AtomicReference<>("/v/kv is not there");
        RootWatch watch = new RootWatch(reason::get, 85, listener, clocks);
        watch.observe(Optional.of(HALF));
        watch.observe(Optional.of(HALF));
        assertThat(listener.warnings).containsExactly("/v/kv is not there");
        watch.observe(Optional.of(FULL));
        watch.observe(Optional.of(FULL));
        assertThat(listener.warnings).hasSize(2);
        assertThat(watch.problem()).startsWith("/v/kv is not there; usage 90.00 % is above the mark of 85.00 %");
        clocks.passTime(Duration.ofMinutes(10));
        watch.observe(Optional.of(FULL));
        assertThat(listener.warnings).hasSize(3);
        reason.set("");
        watch.observe(Optional.of(FULL));
        assertThat(watch.problem()).isEmpty();
        assertThat(listener.warnings).hasSize(3);
    }

    private VolumeScan.Report scan(Path root) throws IOException, InterruptedException {
        NativeDirectoryCalls calls = new NativeDirectoryCalls();
        return new VolumeScan(calls, new FsLayout(3), 1, clocks, path -> Optional.empty()).scan(root, seen -> {});
    }

    @Test
    void aCacheFarBelowProvesNothingOfWhatIsAroundIt() throws Exception {
        CacheFiles cache = new CacheFiles(mount.resolve("srv/kv/model-cache/models"));
        cache.model("m_0123456789ab", "org/m");
        cache.block("m_0123456789ab_r0", 1, Duration.ofDays(1));
        assertThat(scan(mount.resolve("srv")).proven())
                .as("a volume as the root")
                .isTrue();
        assertThat(scan(mount).proven()).as("a folder around a volume").isFalse();
    }

    @Test
    void aFolderThatHappensToBeNamedLikeARankIsNoModel() throws Exception {
        Files.createDirectories(mount.resolve("alsa/sof-mt8195_r1"));
        assertThat(scan(mount).models()).isEmpty();
        CacheFiles cache = new CacheFiles(mount);
        cache.model("m_0123456789ab", "org/m");
        Files.createDirectories(mount.resolve("m_0123456789ab_r0"));
        assertThat(scan(mount).models())
                .as("a model without a block is one all the same")
                .isNotEmpty();
    }

    @Test
    void aCacheSmallerThanWhatHasToGoIsNotBlamedOnTheAgesOfItsFiles() throws Exception {
        CacheFiles cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        cache.block("m_0123456789ab_r0", 1, Duration.ofMinutes(1));
        TwinCalls calls = new TwinCalls(10_000L * CacheFiles.FILE_BYTES, 0);
        calls.usedBytes.set(9_000L * CacheFiles.FILE_BYTES);
        try (RunningSweeper running = new RunningSweeper(
                RunningSweeper.config(mount, settings -> {
                    settings.thresholds = new Thresholds(85, 70, 95, 3_600);
                    return settings;
                }),
                calls,
                clocks)) {
            await(() -> {
                clocks.passTime(Duration.ofMillis(100));
                return !running.sweeper.status().problem().isEmpty()
                        && running.sweeper.status().passes() > 0;
            });
            assertThat(running.sweeper.status().problem())
                    .isEqualTo("nothing may go: the cache is 4 KiB of the 35.2 MiB in use, less than would have to go:"
                            + " something else fills the volume (all 1 files were used within"
                            + " FILE_ACCESS_TIME_THRESHOLD_MINUTES=60)");
        }
    }

    @Test
    void smallnessCountsInodesWhereTheyAreWhatIsFull() {
        AgeSum ages = new AgeSum();
        ages.bytes[0] = 1 << 20;
        Estimate cache = new Estimate(ages, 5, 5, true, true, 0, 0);
        Thresholds marks = new Thresholds(85, 70, 95, 0);
        assertThat(Smallness.of(cache, 0.5, new Usage(10, 100, 900, 1_000), marks))
                .hasValueSatisfying(text -> assertThat(text).startsWith("the cache is 10 of the 900 inodes in use"));
        assertThat(Smallness.of(cache, 0.5, new Usage(10, 100, 705, 1_000), marks))
                .isEmpty();
    }
}
