package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.medium.MemoryDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Touch logs that several sweepers read, one of which may put them aside, and may die on the way. */
class SharedTouchLogTest {
    private static final String RANK = "m_0123456789ab_r0";
    private static final long NOW = 1_800_000_000;

    @TempDir(factory = MemoryDir.class)
    private Path mount;

    private final RankDir rank = RankDir.of("m_r0", Optional.empty());

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String line(long block) {
        return String.format(Locale.ROOT, "%016x %d\n", block, NOW);
    }

    private void readAll(TouchLog reader) {
        boolean more = true;
        while (more) {
            TouchLog.Reading reading = reader.read(rank, NOW);
            assertThat(reading.failure()).isEmpty();
            more = reading.more();
        }
    }

    private void assertKnown(Touches touches, long blocks) {
        for (long block = 1; block <= blocks; block++) {
            assertThat(touches.seconds(rank, new Layout.BlockHash(true, block)))
                    .as("block %d", block)
                    .isEqualTo(NOW);
        }
    }

    /** A large log of two lines, and one that a client begins to write; the folder. */
    private Path largeLog() throws IOException {
        Path folder = Files.createDirectories(mount.resolve("m_r0"));
        append(
                folder.resolve(TouchLog.FILE),
                line(1) + ("x".repeat(1023) + "\n").repeat((int) (TouchLog.LARGE_BYTES / 1024)) + line(2));
        return folder;
    }

    @Test
    void whoIsKilledRightBeforeItPutsALogAsideLeavesItToTheNextOne() throws IOException {
        Path folder = largeLog();
        Touches others = new Touches();
        TouchLog other = new TouchLog(mount, others, () -> false);
        other.read(rank, NOW); // a part of it
        TouchLog dies = new TouchLog(mount, new Touches(), () -> {
            throw new RunningSweeper.Killed();
        });
        assertThatThrownBy(() -> readAll(dies)).isInstanceOf(RunningSweeper.Killed.class);
        append(folder.resolve(TouchLog.FILE), line(3));
        Touches next = new Touches();
        TouchLog nextOne = new TouchLog(mount, next, () -> true);
        readAll(nextOne);
        assertThat(folder.resolve(TouchLog.FILE)).as("put aside by the next").doesNotExist();
        append(folder.resolve(TouchLog.FILE), line(4));
        readAll(nextOne);
        readAll(other);
        assertKnown(next, 4);
        assertKnown(others, 4);
    }

    @Test
    void whoIsKilledRightAfterItHasPutALogAsideLosesNoLineToAnybody() throws IOException {
        Path folder = largeLog();
        Touches others = new Touches();
        TouchLog other = new TouchLog(mount, others, () -> false);
        other.read(rank, NOW);
        TouchLog dies = new TouchLog(mount, new Touches(), () -> true);
        while (Files.exists(folder.resolve(TouchLog.FILE))) {
            dies.read(rank, NOW);
        }
        append(folder.resolve(TouchLog.OLD), line(3)); // by a client that has it open still
        Touches beforeTheNewLog = new Touches();
        readAll(new TouchLog(mount, beforeTheNewLog, () -> true));
        assertKnown(beforeTheNewLog, 3);
        append(folder.resolve(TouchLog.FILE), line(4));
        Touches next = new Touches();
        readAll(new TouchLog(mount, next, () -> true));
        readAll(other);
        assertKnown(next, 4);
        assertKnown(others, 4);
    }

    @Test
    void g121_whatClientsReadStaysWhicheverOfTwoSweepersItsShardBelongsTo() throws Exception {
        TestClocks clocks = new TestClocks();
        TwinCalls calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);
        calls.usedBytes.set(700L * CacheFiles.FILE_BYTES);
        CacheFiles cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        List<Path> blocks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            blocks.add(cache.block(RANK, i * 37, Duration.ofHours(100)));
        }
        List<Path> read = blocks.subList(0, 10);
        List<RunningSweeper> sweepers = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                sweepers.add(new RunningSweeper(
                        RunningSweeper.config(mount, settings -> {
                            settings.thresholds = new Thresholds(85, 80, 95, 0);
                            settings.leases = true;
                            settings.intervalMillis = 500;
                            return settings;
                        }),
                        calls,
                        clocks));
            }
            awaitPassing(
                    clocks,
                    () -> sweepers.stream().allMatch(one -> one.sweeper.status().shards() > 0)
                            && sweepers.stream()
                                            .mapToInt(
                                                    one -> one.sweeper.status().shards())
                                            .sum()
                                    == 16);
            for (int minute = 0; minute < 3; minute++) {
                for (Path block : read) {
                    append(
                            cache.root.resolve(RANK).resolve(TouchLog.FILE),
                            block.getFileName().toString().replace(".bin", "") + " " + clocks.wallMillis() / 1000
                                    + "\n");
                }
                long until = clocks.monotonicNanos() + TimeUnit.SECONDS.toNanos(4);
                awaitPassing(clocks, () -> clocks.monotonicNanos() - until > 0);
            }
            awaitPassing(
                    clocks,
                    () -> sweepers.stream()
                            .allMatch(one -> one.sweeper.status().recencySource() == RecencySource.TOUCH_LOG));
            calls.usedBytes.set(850L * CacheFiles.FILE_BYTES);
            awaitPassing(clocks, () -> calls.usedBytes.get() <= 800L * CacheFiles.FILE_BYTES);
        } finally {
            sweepers.forEach(RunningSweeper::close);
        }
        assertThat(read).allMatch(Files::exists);
        assertThat(blocks.stream().filter(Files::exists).count())
                .as("50 had to go, and a batch of each sweeper may more")
                .isBetween(30L, 50L);
        assertThat(sweepers).allMatch(one -> one.listener.removed.get() > 0, "both took their part");
    }

    private static void awaitPassing(TestClocks clocks, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).isNegative();
            TimeUnit.MILLISECONDS.sleep(20);
            clocks.passTime(Duration.ofMillis(100));
        }
    }
}
