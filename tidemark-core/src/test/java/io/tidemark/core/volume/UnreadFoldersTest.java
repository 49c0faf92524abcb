package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.MemoryDir;
import io.tidemark.core.volume.TwinCalls.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders that the first walk of a sweeper's life cannot read: what goes meanwhile must not go in the place of what lies there. */
class UnreadFoldersTest {
    private static final int FILES = 120;
    private static final int NEEDED = 60;
    private static final String COLD_RANK = "m_0123456789ab_r1";

    @TempDir(factory = MemoryDir.class)
    private Path mount;

    private final TestClocks clocks = new TestClocks();
    private final TwinCalls calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);
    private CacheFiles cache;
    private final List<Path> hot = new ArrayList<>();
    private final List<Path> cold = new ArrayList<>();

    @BeforeEach
    void volume() throws IOException {
        cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        for (int i = 0; i < FILES; i++) {
            hot.add(cache.block("m_0123456789ab_r0", i, Duration.ofHours(24 + i)));
            cold.add(cache.block(COLD_RANK, 5_000 + i, Duration.ofHours(1_000 + i)));
        }
        calls.usedBytes.set((800 + NEEDED) * CacheFiles.FILE_BYTES);
    }

    private RunningSweeper sweeper() {
        return new RunningSweeper(
                RunningSweeper.config(mount, settings -> {
                    settings.thresholds = new Thresholds(85, 80, 95, 0);
                    return settings;
                }),
                calls,
                clocks);
    }

    private static long gone(List<Path> files) {
        return files.stream().filter(file -> !Files.exists(file)).count();
    }

    /** Lets the first so many opens of a directory fail. */
    private void failsToOpen(String name, int times) {
        AtomicInteger failed = new AtomicInteger();
        calls.fault = (call, path) ->
                call == Call.OPEN && path.endsWith(name) && failed.getAndIncrement() < times ? Errno.EIO : 0;
    }

    @Test
    void noFilesGoInThePlaceOfThoseOfARankDirectoryThatTheFirstWalksCannotRead() throws Exception {
        failsToOpen(COLD_RANK, 2);
        try (RunningSweeper running = sweeper()) {
            assertThat(running.awaitEnded(30)).isTrue();
            assertThat(running.listener.warnings)
                    .anySatisfy(text -> assertThat(text).contains("cannot read " + COLD_RANK + " (EIO)"));
        }
        assertThat(gone(hot)).isZero();
        assertThat(gone(cold)).isBetween((long) NEEDED, NEEDED + 10L);
    }

    @Test
    void noFilesGoInThePlaceOfOneInABucketThatTheFirstWalkCannotRead() throws Exception {
        Path coldest = cache.file(COLD_RANK + "/fff/ff_g7/fffff00000000000.bin", Duration.ofHours(2_000));
        failsToOpen("ff_g7", 2); // when it is sampled, too
        try (RunningSweeper running = sweeper()) {
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(coldest).doesNotExist();
        assertThat(gone(hot)).isZero();
    }

    @Test
    void whatIsNotCountedIsKnownBeforeDeletionStartsOnAVolumeThatIsAtItsMarkAllAtOnce() throws Exception {
        long used = calls.usedBytes.getAndSet((long) FILES * CacheFiles.FILE_BYTES); // as if all had been counted
        failsToOpen(COLD_RANK, Integer.MAX_VALUE);
        try (RunningSweeper running = sweeper()) {
            running.listener.whenStarted = () -> awaitRemoved(running.listener);
            running.awaitPasses(1, 30);
            calls.usedBytes.set(used);
            assertThat(running.listener.started.await(30, TimeUnit.SECONDS)).isTrue();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (running.sweeper.status().problem().isEmpty() && System.nanoTime() - end < 0) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
        assertThat(gone(hot)).isZero();
    }

    /** Waits for a file to go, a quarter of a second at most. */
    private static void awaitRemoved(RecordingListener listener) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(250);
        while (listener.removed.get() == 0 && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whatCannotBeReadForTenMinutesIsWaitedForNoLonger() throws Exception {
        failsToOpen(COLD_RANK, Integer.MAX_VALUE);
        try (RunningSweeper running = sweeper()) {
            running.awaitPasses(2, 30);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (running.sweeper.status().problem().isEmpty() && System.nanoTime() - end < 0) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            assertThat(running.sweeper.status().problem())
                    .contains("what lies in " + COLD_RANK + " (EIO) cannot be read", "10 minutes");
            assertThat(gone(hot)).isZero();
            clocks.passTime(Duration.ofMinutes(UnreadFolders.MINUTES));
            assertThat(running.awaitEnded(30)).isTrue();
            assertThat(running.sweeper.status().problem()).isEmpty();
            assertThat(running.listener.warnings)
                    .anySatisfy(text -> assertThat(text).contains("reckoned with no longer"));
        }
        assertThat(gone(hot)).isBetween((long) NEEDED, NEEDED + 10L);
    }

    /** Passes time until deletion ends, as walks that took minutes are followed by others minutes later. */
    private void awaitEnded(RunningSweeper running) throws InterruptedException {
        for (int i = 0; i < 300 && !running.awaitEnded(0); i++) {
            clocks.passTime(Duration.ofSeconds(5));
            TimeUnit.MILLISECONDS.sleep(50);
        }
        assertThat(running.awaitEnded(0)).isTrue();
    }

    @Test
    void aFirstWalkThatLastsLongerThanTheLimitEndsItNot() throws Exception {
        AtomicInteger failed = new AtomicInteger();
        AtomicBoolean passed = new AtomicBoolean();
        calls.fault = (call, path) -> {
            if (call == Call.OPEN && path.endsWith(COLD_RANK) && failed.getAndIncrement() < 1) {
                return Errno.EIO;
            }
            if (call == Call.STAT && failed.get() > 0 && path.endsWith(".bin") && passed.compareAndSet(false, true)) {
                clocks.passTime(Duration.ofMinutes(UnreadFolders.MINUTES + 1));
            }
            return 0;
        };
        try (RunningSweeper running = sweeper()) {
            awaitEnded(running);
            assertThat(running.listener.warnings)
                    .anySatisfy(
                            text -> assertThat(text).contains("cannot read " + COLD_RANK + " (EIO): nothing is known"))
                    .noneSatisfy(text -> assertThat(text).contains("counts on"));
        }
        assertThat(gone(hot)).isZero();
        assertThat(gone(cold)).isBetween((long) NEEDED, NEEDED + 10L);
    }

    @Test
    void filesThatCannotBeLookedAtAreAsUnknownAsThoseOfAFolder() throws Exception {
        Set<String> names =
                cold.stream().map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        names.removeAll(hot.stream().map(file -> file.getFileName().toString()).toList());
        assertThat(names).as("names that only cold files have").hasSize(FILES);
        Map<String, Integer> looks = new ConcurrentHashMap<>();
        calls.fault = (call, path) ->
                call == Call.STAT && names.contains(path) && looks.merge(path, 1, Integer::sum) <= 2 ? Errno.ESTALE : 0;
        try (RunningSweeper running = sweeper()) {
            assertThat(running.awaitEnded(30)).isTrue();
            assertThat(running.listener.warnings)
                    .anySatisfy(text -> assertThat(text).contains("cannot read " + COLD_RANK + "/", "(ESTALE)"));
        }
        assertThat(gone(hot)).isZero();
    }

    @Test
    void aFolderBesideAVolumeThatCameAfterAnEmptyFolderWasWalkedIsUnknown() throws Exception {
        Files.move(mount.resolve("cache"), mount.resolve("real"));
        new CacheFiles(mount.resolve("cache"));
        AtomicInteger failed = new AtomicInteger();
        calls.fault = (call, path) ->
                call == Call.OPEN && path.endsWith(COLD_RANK) && failed.getAndIncrement() < 1 ? Errno.EIO : 0;
        long used = calls.usedBytes.getAndSet(100 * CacheFiles.FILE_BYTES);
        try (RunningSweeper running = new RunningSweeper(
                RunningSweeper.config(mount, settings -> {
                    settings.thresholds = new Thresholds(85, 80, 95, 0);
                    settings.adopted = true;
                    settings.passSeconds = 1;
                    return settings;
                }),
                calls,
                clocks)) {
            running.awaitPasses(1, 30);
            Files.move(mount.resolve("cache"), mount.resolve("bare"));
            Files.move(mount.resolve("real"), mount.resolve("cache"));
            calls.usedBytes.set(used);
            clocks.passTime(Duration.ofHours(7));
            awaitEnded(running);
        }
        assertThat(failed.get()).isPositive();
        assertThat(gone(hot)).isZero();
    }

    private final List<String> told = new ArrayList<>();
    private final UnreadFolders unread = new UnreadFolders(told::add, clocks);
    private static final UnreadFolders.Ground HALF = new UnreadFolders.Ground(Set.of(0, 1), 7, 2);

    /** A walk that could not read these folders. */
    private void walk(UnreadFolders.Ground ground, String... folders) {
        unread.walkBegins(ground);
        for (String folder : folders) {
            unread.add(folder, Errno.EIO);
        }
        unread.walkEnded(true, true);
    }

    @Test
    void theLimitEndsByAFailureSeenAgainAndSaysSo() {
        walk(HALF, "m_r1");
        clocks.passTime(Duration.ofMinutes(UnreadFolders.MINUTES + 1));
        assertThat(unread.areUnknown()).as("nobody has tried again").isTrue();
        walk(HALF, "m_r1", "m_r2");
        assertThat(unread.areUnknown()).as("m_r2 was read before").isFalse();
        assertThat(told).hasSize(2);
        assertThat(told.getFirst()).contains("m_r1 (EIO)", "less of the rest may go");
        assertThat(told.getLast()).contains("reckoned with no longer", "goes in its place");
        walk(HALF);
        walk(HALF, "m_r1");
        assertThat(told.getLast()).contains("counts on");
    }

    @Test
    void whatIsReadByOneWalkOrTheOtherIsKnown() {
        walk(HALF, "m_r1");
        walk(HALF, "m_r2");
        assertThat(unread.areUnknown()).as("each was read once").isFalse();
    }

    @Test
    void whatLiesInAFolderThatWasNeverReadIsUnknownStill() {
        walk(HALF, "m_r1");
        walk(HALF, "m_r1/fff");
        assertThat(unread.areUnknown()).isTrue();
        walk(HALF, "m_r1");
        assertThat(unread.areUnknown())
                .as("only the one bucket, and that is in it")
                .isTrue();
        walk(HALF, "m_r10", "m_r1/ff");
        assertThat(unread.areUnknown())
                .as("others, with names that begin alike")
                .isFalse();
    }

    @Test
    void whatWasReadIsForgottenWithOtherShardsAnotherFileSystemOrAnEmptyOne() {
        walk(HALF);
        walk(HALF, "m_r1");
        assertThat(unread.areUnknown()).as("read before").isFalse();
        walk(new UnreadFolders.Ground(Set.of(0, 1, 2), 7, 2), "m_r1");
        assertThat(unread.areUnknown()).as("a shard was added").isTrue();
        walk(HALF);
        walk(HALF, "m_r1");
        assertThat(unread.areUnknown()).as("read before").isFalse();
        walk(new UnreadFolders.Ground(Set.of(0, 1), 8, 2), "m_r1");
        assertThat(unread.areUnknown()).as("another file system").isTrue();
        walk(HALF);
        unread.walkBegins(HALF);
        unread.walkEnded(true, false);
        walk(HALF, "m_r1");
        assertThat(unread.areUnknown()).as("nothing was there").isTrue();
    }

    @Test
    void aWalkThatCannotOpenTheCacheKeepsWhatWasUnread() {
        walk(HALF, "m_r1");
        unread.walkFailed();
        assertThat(unread.areUnknown()).isTrue();
        assertThat(unread.count()).isEqualTo(1);
        clocks.passTime(Duration.ofMinutes(UnreadFolders.MINUTES));
        walk(HALF, "m_r1");
        assertThat(unread.areUnknown()).as("ten minutes since it failed first").isFalse();
    }

    @Test
    void aFolderIsCountedOnceAndManyAreANumber() {
        walk(HALF, "m_r1", "m_r1", "m_r1");
        assertThat(unread.count()).isEqualTo(1);
        assertThat(unread.text()).isEqualTo("m_r1 (EIO)");
        unread.walkBegins(new UnreadFolders.Ground(Set.of(0, 1), 8, 2)); // nothing of it has been read
        unread.walkFailed();
        walk(
                new UnreadFolders.Ground(Set.of(0, 1), 8, 2),
                IntStream.range(0, 1_000).mapToObj(i -> "m_r" + i).toArray(String[]::new));
        assertThat(unread.count()).isEqualTo(1_000);
        assertThat(unread.text()).isEqualTo("m_r0 (EIO) and 999 more");
        walk(new UnreadFolders.Ground(Set.of(0, 1), 8, 2), "n_r1");
        assertThat(unread.areUnknown())
                .as("it may be one of those without a name")
                .isTrue();
    }
}
