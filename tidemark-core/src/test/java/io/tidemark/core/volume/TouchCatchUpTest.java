package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.MemoryDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Touch logs that are there before the sweeper is, or before it knows of their rank directory. */
@Timeout(60)
class TouchCatchUpTest {
    private static final String RANK = "m_0123456789ab_r0";
    private static final int BLOCKS = 400;

    @TempDir(factory = MemoryDir.class)
    private Path mount;

    private final TestClocks clocks = new TestClocks();
    private CacheFiles cache;
    private TwinCalls calls;

    @BeforeEach
    void volume() throws IOException {
        cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);
        usedFiles(900);
    }

    private void usedFiles(long files) {
        calls.usedBytes.set(files * CacheFiles.FILE_BYTES);
    }

    /** Blocks, the first the youngest: a day and an hour for each. */
    private List<Path> blocks(String rank) throws IOException {
        List<Path> blocks = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            blocks.add(cache.block(rank, i, Duration.ofHours(24 + i)));
        }
        return blocks;
    }

    private static String hash(Path block) {
        return block.getFileName().toString().replace(".bin", "");
    }

    private static String lines(List<Path> read) {
        return String.join("\n", read.stream().map(TouchCatchUpTest::hash).toList()) + "\n";
    }

    /** A log of lines of blocks that are not there, and at its end those that are. */
    private static String longLog(long bytes, String end) {
        long now = System.currentTimeMillis() / 1000;
        StringBuilder log = new StringBuilder();
        for (long block = 1L << 40; log.length() < bytes; block++) {
            log.append(String.format(Locale.ROOT, "%016x %d\n", block, now));
        }
        return log.append(end).toString();
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.call()) {
            assertThat(System.nanoTime() - end).isNegative();
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private RunningSweeper start(long ttlSeconds) {
        return new RunningSweeper(
                RunningSweeper.config(mount, settings -> {
                    settings.ttlSeconds = ttlSeconds == 0 ? Map.of() : Map.of("m_0123456789ab", ttlSeconds);
                    settings.passSeconds = 1;
                    return settings;
                }),
                calls,
                clocks);
    }

    @Test
    void g121_aSweeperThatBeginsAboveItsMarkLeavesWhatALogThatIsThereCallsRead() throws Exception {
        List<Path> blocks = blocks(RANK);
        Files.writeString(
                cache.root.resolve(RANK).resolve(TouchLog.FILE), longLog(5 << 20, lines(blocks.subList(200, BLOCKS))));
        try (RunningSweeper running = start(0)) {
            assertThat(running.awaitEnded(30)).isTrue();
            assertThat(running.sweeper.status().recencySource()).isEqualTo(RecencySource.TOUCH_LOG);
        }
        assertThat(blocks.subList(200, BLOCKS))
                .as("read, and the oldest by their stamps")
                .allMatch(Files::exists);
        assertThat(blocks.subList(0, 200)).as("not read").noneMatch(Files::exists);
    }

    @Test
    void whatTheEndOfALongLogSaysCountsAsMuchAlsoWhereAPartOfItWasPutAside() throws Exception {
        List<Path> blocks = blocks(RANK);
        Path folder = cache.root.resolve(RANK);
        Files.writeString(folder.resolve(TouchLog.OLD), longLog(TouchLog.LARGE_BYTES, lines(blocks.subList(200, 300))));
        Files.writeString(
                folder.resolve(TouchLog.FILE), longLog(TouchLog.LARGE_BYTES, lines(blocks.subList(300, BLOCKS))));
        try (RunningSweeper running = start(0)) {
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(blocks.subList(300, BLOCKS)).as("the last lines of all").allMatch(Files::exists);
        assertThat(blocks.subList(200, 300)).as("the last ones put aside").allMatch(Files::exists);
        assertThat(blocks.subList(0, 200)).noneMatch(Files::exists);
    }

    @Test
    void theFirstWalkCallsNothingExpiredThatALogSaysIsInUse() throws Exception {
        List<Path> blocks = blocks(RANK);
        usedFiles(100);
        Files.writeString(cache.root.resolve(RANK).resolve(TouchLog.FILE), lines(blocks.subList(200, BLOCKS)));
        try (RunningSweeper running = start(3_600)) {
            await(() -> blocks.subList(0, 200).stream().noneMatch(Files::exists));
            running.awaitPasses(running.sweeper.status().passes() + 1, 30);
        }
        assertThat(blocks.subList(200, BLOCKS)).allMatch(Files::exists);
    }

    @Test
    void ofARankDirectoryThatComesLaterTheLogIsReadBeforeAnythingGoes() throws Exception {
        usedFiles(100);
        Path elsewhere = Files.createDirectory(mount.resolve("elsewhere"));
        List<Path> blocks = blocks("m_0123456789ab_r7");
        Path folder = cache.root.resolve("m_0123456789ab_r7");
        Files.writeString(folder.resolve(TouchLog.FILE), longLog(2 << 20, lines(blocks.subList(200, BLOCKS))));
        Files.move(folder, elsewhere.resolve("r7"));
        cache.block(RANK, 1, Duration.ofMinutes(1));
        try (RunningSweeper running = start(3_600)) {
            running.awaitPasses(1, 30);
            Files.move(elsewhere.resolve("r7"), folder);
            await(() -> blocks.subList(0, 200).stream().noneMatch(Files::exists));
            clocks.passTime(Duration.ofSeconds(2));
            running.awaitPasses(running.sweeper.status().passes() + 1, 30);
        }
        assertThat(blocks.subList(200, BLOCKS)).allMatch(Files::exists);
    }

    private volatile Duration pieceTakes = Duration.ofSeconds(2);

    /** A log of ten pieces that each take two seconds to read, at first. */
    private TouchLog slow(Path folder, Touches touches, AtomicInteger pieces) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(TouchLog.FILE), longLog(10 << 20, "00000000000000ff\n"));
        return new TouchLog(cache.root, touches, () -> {
            pieces.incrementAndGet();
            clocks.passTime(pieceTakes);
            return false;
        });
    }

    @Test
    void afterItsTimeAWalkBeginsItIsToldAndTheRestIsReadBeside() throws Exception {
        Touches touches = new Touches();
        AtomicInteger pieces = new AtomicInteger();
        RankDir rank = RankDir.of("slow_r0", Optional.empty());
        TouchLog log = slow(cache.root.resolve("slow_r0"), touches, pieces);
        RecordingListener listener = new RecordingListener();
        new TouchCatchUp(log, () -> false, listener, clocks).read(List.of(rank));
        assertThat(pieces).hasValueBetween(4, 6);
        assertThat(listener.warnings)
                .singleElement()
                .asString()
                .contains("slow_r0", "not read to their end after 10 s");
        RecencyWatch watch = new RecencyWatch(mount, "id", false, log, touches, () -> List.of(rank), listener, clocks);
        assertThat(watch.touchLogsBehind()).isEqualTo(1);
        pieceTakes = Duration.ZERO;
        IntStream.range(0, 20).forEach(step -> watch.readTouches());
        assertThat(watch.touchLogsBehind()).isZero();
        assertThat(touches.seconds(rank, new Layout.BlockHash(true, 0xff))).isPositive();
        assertThat(pieces).as("read on at once, and no more than there is").hasValueBetween(11, 12);
    }

    @Test
    void whoIsToldToStopReadsNoFurther() throws Exception {
        AtomicInteger pieces = new AtomicInteger();
        AtomicInteger asked = new AtomicInteger();
        TouchLog log = slow(cache.root.resolve("slow_r0"), new Touches(), pieces);
        RecordingListener listener = new RecordingListener();
        new TouchCatchUp(log, () -> asked.incrementAndGet() > 2, listener, clocks)
                .read(List.of(RankDir.of("slow_r0", Optional.empty())));
        assertThat(pieces).hasValue(1);
        assertThat(listener.warnings).isEmpty();
    }

    private List<RankDir> ranks(int number) throws IOException {
        RankTable table = new RankTable(path -> Optional.empty());
        List<RankDir> ranks = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Files.createDirectories(cache.root.resolve("many_r" + i));
            ranks.add(table.at(("many_r" + i).getBytes(StandardCharsets.UTF_8)).orElseThrow());
        }
        return ranks;
    }

    @Test
    void ofManyRankDirectoriesThoseWithALogAreFoundBySeveralThreadsAndRead() throws Exception {
        List<RankDir> ranks = ranks(3 * TouchCatchUp.RANKS_PER_THREAD);
        RankDir last = ranks.getLast();
        RankDir aside = ranks.getFirst();
        Files.writeString(cache.root.resolve(last.toString()).resolve(TouchLog.FILE), "00000000000000ff\n");
        Files.writeString(cache.root.resolve(aside.toString()).resolve(TouchLog.OLD), "00000000000000ff\n");
        Touches touches = new Touches();
        TouchLog log = new TouchLog(cache.root, touches, () -> false);
        RecordingListener listener = new RecordingListener();
        Set<Thread> looking = ConcurrentHashMap.newKeySet();
        CountDownLatch three = new CountDownLatch(3);
        BooleanSupplier stopping = () -> {
            if (looking.add(Thread.currentThread())) {
                three.countDown();
                awaitQuietly(three);
            }
            return false;
        };
        new TouchCatchUp(log, stopping, listener, clocks).read(ranks);
        assertThat(looking).hasSize(3);
        assertThat(touches.seconds(last, new Layout.BlockHash(true, 0xff))).isPositive();
        assertThat(touches.seconds(aside, new Layout.BlockHash(true, 0xff))).isPositive();
        assertThat(log.behind()).isZero();
        assertThat(listener.warnings).isEmpty();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void thoseThatItDidNotComeToAreToldAndBehindUntilTheyAreRead() throws Exception {
        List<RankDir> ranks = ranks(20);
        Touches touches = new Touches();
        TouchLog log = new TouchLog(cache.root, touches, () -> false);
        RecordingListener listener = new RecordingListener();
        BooleanSupplier twoSeconds = () -> {
            clocks.passTime(Duration.ofSeconds(2));
            return false;
        };
        new TouchCatchUp(log, twoSeconds, listener, clocks).read(ranks);
        assertThat(log.behind()).isEqualTo(15);
        assertThat(listener.warnings)
                .singleElement()
                .asString()
                .startsWith("15 rank directories, many_r5 for one, may have touch logs that are not read to their end");
        new RecencyWatch(mount, "id", false, log, touches, () -> ranks, listener, clocks).readTouches();
        assertThat(log.behind()).isZero();
    }

    @Test
    void aRankDirectoryThatIsGoneIsNotBehind() throws Exception {
        AtomicInteger pieces = new AtomicInteger();
        Touches touches = new Touches();
        RankDir rank = RankDir.of("slow_r0", Optional.empty());
        TouchLog log = slow(cache.root.resolve("slow_r0"), touches, pieces);
        log.read(rank, 1);
        assertThat(log.behind()).isEqualTo(1);
        new RecencyWatch(mount, "id", false, log, touches, List::of, new RecordingListener(), clocks).readTouches();
        assertThat(log.behind()).isZero();
    }
}
