package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.volume.TwinCalls.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole sweeper on real files, on a volume that fails, moves, or tells the time wrongly. */
class SweeperFaultTest {
    private static final String RANK = "m_0123456789ab_r0";
    private static final int FILES = 120;

    @TempDir
    private Path mount;

    private final TestClocks clocks = new TestClocks();
    private final TwinCalls calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);
    private CacheFiles cache;
    private List<Path> blocks;

    /** Blocks, the first the youngest, and 800 of 1,000 in use. */
    @BeforeEach
    void volume() throws IOException {
        cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        blocks = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            blocks.add(cache.block(RANK, i, Duration.ofHours(24 + i)));
        }
        usedFiles(800);
    }

    private void usedFiles(long files) {
        calls.usedBytes.set(files * CacheFiles.FILE_BYTES);
    }

    private RunningSweeper start(UnaryOperator<RunningSweeper.Settings> change) {
        UnaryOperator<RunningSweeper.Settings> near = settings -> {
            settings.thresholds = new Thresholds(85, 80, 95, 0);
            return change.apply(settings);
        };
        return new RunningSweeper(RunningSweeper.config(mount, near), calls, clocks);
    }

    private long left() {
        return blocks.stream().filter(Files::exists).count();
    }

    @ParameterizedTest
    @EnumSource
    void eachErrorOfEachCallIsPassedOverAndNothingStaysOpen(Call call) throws Exception {
        Queue<Integer> errors = new ConcurrentLinkedQueue<>(List.of(
                Errno.EIO, Errno.ESTALE, Errno.EACCES, Errno.EPERM, Errno.EROFS, Errno.ENOENT, Errno.ETIMEDOUT));
        AtomicInteger seen = new AtomicInteger();
        calls.fault = (made, name) -> {
            Integer error = made == call && seen.incrementAndGet() % 5 == 0 ? errors.poll() : null;
            return error == null ? 0 : error;
        };
        usedFiles(860);
        try (RunningSweeper _ = start(settings -> settings)) {
            await(() -> {
                clocks.passTime(Duration.ofMillis(100));
                return calls.usedBytes.get() <= 800L * CacheFiles.FILE_BYTES && errors.isEmpty();
            });
        }
        assertThat(calls.open.get()).as("directories left open").isZero();
        assertThat(left()).isBetween(FILES - 70L, FILES - 60L);
        assertThat(blocks.subList(0, FILES - 90)).as("the coldest went").allMatch(Files::exists);
    }

    private static boolean isCrawler() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(Crawler.class.getName())));
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "STAT", "STAT_NOW", "UNLINK"})
    void aRoleThatDiesLeavesNothingOpenAndItsPlaceIsTaken(Call call) throws Exception {
        AtomicInteger seen = new AtomicInteger();
        calls.fault = (made, name) -> {
            boolean counts = made == call && (call == Call.READ ? isCrawler() : name.endsWith(".bin"));
            if (counts && seen.incrementAndGet() % 16 == 0 && seen.get() < 100) {
                throw new RunningSweeper.Killed();
            }
            return 0;
        };
        usedFiles(860);
        try (RunningSweeper _ = start(settings -> settings)) {
            await(() -> {
                clocks.passTime(Duration.ofMillis(100));
                return calls.usedBytes.get() <= 800L * CacheFiles.FILE_BYTES;
            });
        }
        assertThat(calls.open.get()).as("directories left open").isZero();
    }

    @Test
    void aCacheThatIsMovedAwayWhileItsFilesGoIsLeftAlone() throws Exception {
        Path kept = mount.resolve("kept");
        AtomicBoolean moved = new AtomicBoolean();
        calls.fault = (call, name) -> {
            if (call == Call.UNLINK && moved.compareAndSet(false, true)) {
                assertThat(cache.root.toFile().renameTo(kept.toFile())).isTrue();
            }
            return 0;
        };
        usedFiles(860);
        try (RunningSweeper running = start(settings -> {
            settings.batch = 1;
            return settings;
        })) {
            await(() ->
                    running.listener.warnings.stream().anyMatch(text -> text.contains("was moved away or replaced")));
            for (int i = 0; i < 20; i++) {
                clocks.passTime(Duration.ofMillis(500));
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
        assertThat(new CacheFiles(kept).blocks())
                .as("all but the one that was going")
                .hasSize(FILES - 1);
    }

    @Test
    void aFileThatAnotherNodeHasReadStaysThoughThisOneHasKeptItsOldTimes() throws Exception {
        calls.keepsStats = true;
        try (RunningSweeper running = start(settings -> settings)) {
            running.awaitPasses(1, 30);
            for (Path read : blocks.subList(100, FILES)) {
                CacheFiles.used(read, Duration.ZERO);
            }
            usedFiles(860);
            await(() -> calls.usedBytes.get() <= 800L * CacheFiles.FILE_BYTES);
        }
        assertThat(blocks.subList(100, FILES)).allMatch(Files::exists);
    }

    @Test
    void filesStampedAheadOfOurClockGoAboveTheCriticalMarkAndAreNamedBelowIt() throws Exception {
        for (int i = 0; i < FILES; i++) {
            CacheFiles.used(blocks.get(i), Duration.ofHours(i - 24L - FILES));
        }
        usedFiles(860);
        try (RunningSweeper running = start(settings -> {
            settings.thresholds = new Thresholds(85, 80, 95, 3_600);
            return settings;
        })) {
            await(() -> {
                clocks.passTime(Duration.ofMillis(100));
                return running.sweeper
                        .status()
                        .problem()
                        .contains("of these 120 bear stamps ahead of this machine's clock");
            });
            assertThat(left()).isEqualTo(FILES);
            usedFiles(960);
            await(() -> left() < FILES);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cache/model-00001-of-00002.safetensors",
                "cache/pytorch_model-00001-of-00002.bin",
                "cache/llama-7b.gguf",
                "model.safetensors"
            })
    void weightsThatComeLaterStopTheSweepAsTheyWouldHaveStoppedTheStart(String file) throws Exception {
        try (RunningSweeper running = start(settings -> settings)) {
            running.awaitPasses(1, 30);
            Path weights = Files.createFile(mount.resolve(file));
            clocks.passTime(Duration.ofHours(7));
            await(() -> running.sweeper.status().problem().contains(weights + " is a model's weights"));
            usedFiles(900);
            TimeUnit.MILLISECONDS.sleep(300);
            assertThat(left()).isEqualTo(FILES);
            Files.delete(weights);
            clocks.passTime(Duration.ofHours(7));
            await(() -> left() < FILES);
        }
    }

    @Test
    void theRateHoldsForAllDeletersTogether() throws Exception {
        usedFiles(900);
        try (RunningSweeper running = start(settings -> {
            settings.deleters = 2;
            settings.filesPerSecond = 20;
            return settings;
        })) {
            assertThat(running.listener.started.await(30, TimeUnit.SECONDS)).isTrue();
            await(() -> running.listener.removed.get() > 0);
            long start = System.nanoTime();
            TimeUnit.SECONDS.sleep(2);
            long removed = running.listener.removed.get();
            double seconds = (System.nanoTime() - start) / 1e9;
            assertThat((double) removed).isBetween(10.0, 20 * (seconds + 1) + 2);
        }
    }

    @Test
    void aVolumeWhoseParentCannotBeLookedAtIsNotTakenForAMount() {
        VolumeRoot root = new VolumeRoot(calls, mount, "cache", false);
        calls.fault = (call, name) -> call == Call.STAT && name.equals("..") ? Errno.EIO : 0;
        assertThat(root.sample()).isInstanceOf(VolumeRoot.Sample.Unavailable.class);
        calls.fault = (call, name) -> 0;
        assertThat(root.sample()).isInstanceOf(VolumeRoot.Sample.Measured.class);
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (!condition.holds()) {
            assertThat(System.nanoTime() - end).as("waited 40 s").isNegative();
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
