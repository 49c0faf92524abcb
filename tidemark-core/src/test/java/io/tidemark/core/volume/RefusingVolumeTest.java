package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.DirectoryCalls;
import io.tidemark.core.medium.Errno;
import io.tidemark.core.medium.MemoryDir;
import io.tidemark.core.volume.TwinCalls.Call;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the volume refuses for the moment costs no file that is hotter than those that were refused. */
class RefusingVolumeTest {
    private static final String COLD_RANK = "m_0123456789ab_r1";
    private static final int HOT = 120;
    private static final int COLD = 60;
    private static final int NEEDED = 50;
    private static final long TARGET_FILES = 800;

    @TempDir(factory = MemoryDir.class)
    private Path mount;

    private final TestClocks clocks = new TestClocks();
    private final TwinCalls calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);
    private final AtomicBoolean refusing = new AtomicBoolean(true);
    private final AtomicInteger refused = new AtomicInteger();

    /** Coldest last. */
    private final List<Path> blocks = new ArrayList<>();

    @BeforeEach
    void fill() throws IOException {
        CacheFiles cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        for (int i = 0; i < HOT; i++) {
            blocks.add(cache.block("m_0123456789ab_r0", i, Duration.ofHours(24 + i)));
        }
        for (int i = 0; i < COLD; i++) {
            blocks.add(cache.block(COLD_RANK, i, Duration.ofHours(1_000 + i)));
        }
        need(NEEDED);
    }

    private void need(int files) {
        calls.usedBytes.set((TARGET_FILES + files) * CacheFiles.FILE_BYTES);
    }

    private List<Path> coldest(int files) {
        return blocks.subList(blocks.size() - files, blocks.size());
    }

    private List<Path> gone() {
        return blocks.stream().filter(file -> !Files.exists(file)).toList();
    }

    private RunningSweeper start(UnaryOperator<RunningSweeper.Settings> change) {
        return start(calls, change);
    }

    private RunningSweeper start(DirectoryCalls with, UnaryOperator<RunningSweeper.Settings> change) {
        return new RunningSweeper(
                RunningSweeper.config(mount, settings -> {
                    settings.thresholds = new Thresholds(85, 80, 95, 0);
                    return change.apply(settings);
                }),
                with,
                clocks);
    }

    private static boolean isDeleter() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(FileReclaimer.class.getName())));
    }

    private void refuse(Call call, int errno) {
        calls.fault = (made, name) -> {
            boolean counts = made == call && refusing.get() && (call == Call.UNLINK || isDeleter());
            if (counts) {
                refused.incrementAndGet();
            }
            return counts ? errno : 0;
        };
    }

    private void awaitPassing(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as(what).isNegative();
            TimeUnit.MILLISECONDS.sleep(10);
            clocks.passTime(Duration.ofMillis(100));
        }
    }

    private void awaitEnd(RunningSweeper running) throws InterruptedException {
        awaitPassing("the end", () -> running.listener.ended.getCount() == 0);
    }

    private static boolean toldAgain(RunningSweeper running) {
        return running.listener.warnings.stream().anyMatch(text -> text.startsWith("removals work again"));
    }

    static Stream<Arguments> errorsOfTheVolume() {
        return Stream.of(Errno.EIO, Errno.ESTALE, Errno.EROFS, Errno.ENOTCONN)
                .flatMap(errno -> Stream.of(Call.OPEN, Call.STAT_NOW, Call.UNLINK)
                        .map(call -> Arguments.of(
                                Errno.name(errno),
                                errno,
                                call,
                                1 + (errno + call.name().length()) % 3)));
    }

    @ParameterizedTest(name = "{0} {2} {3}")
    @MethodSource("errorsOfTheVolume")
    void whenAVolumeTakesRemovalsAgainExactlyTheColdestGo(String name, int errno, Call call, int deleters)
            throws Exception {
        refuse(call, errno);
        try (RunningSweeper running = start(settings -> {
            settings.deleters = deleters;
            return settings;
        })) {
            awaitPassing(
                    "it is told",
                    () -> running.sweeper.status().problem().startsWith("the volume refuses removals: " + name));
            assertThat(running.sweeper.status().problem()).contains(COLD_RANK);
            assertThat(running.listener.warnings)
                    .anyMatch(text -> text.startsWith("the volume refuses removals: " + name));
            assertThat(gone()).isEmpty();
            refusing.set(false);
            awaitEnd(running);
            assertThat(toldAgain(running)).isTrue();
            assertThat(running.sweeper.status().problem()).isEmpty();
        }
        assertThat(gone()).containsExactlyElementsOf(coldest(NEEDED));
        assertThat(calls.open.get()).as("directories left open").isZero();
    }

    /** Where little has to go, files beyond that are tried after a while: they stay as long as those that have to go can. */
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "3, 1", "3, 2", "50, 2"})
    void howeverLongItRefusesAndHoweverLittleHasToGo(int needed, int deleters) throws Exception {
        need(needed);
        refuse(Call.UNLINK, Errno.EIO);
        try (RunningSweeper running = startNearTarget(deleters)) {
            long began = clocks.monotonicNanos();
            awaitPassing(
                    "tries",
                    () -> refused.get() > 15 && clocks.monotonicNanos() - began > TimeUnit.SECONDS.toNanos(25));
            assertThat(gone()).isEmpty();
            assertThat(running.listener.warnings)
                    .as("none is told to be left out")
                    .noneMatch(text -> text.startsWith("cannot remove"));
            refusing.set(false);
            awaitEnd(running);
        }
        assertThat(gone()).containsExactlyElementsOf(coldest(needed));
    }

    /** Two deleters, of which one holds a batch of what is needed and the other the little that is left. */
    @ParameterizedTest
    @ValueSource(ints = {12, 13, 15, 21})
    void afterALongOutageNothingThatWasOnlyTriedGoesBeforeWhatIsNeeded(int needed) throws Exception {
        need(needed);
        refuse(Call.UNLINK, Errno.EIO);
        try (RunningSweeper running = startNearTarget(2)) {
            long began = clocks.monotonicNanos();
            awaitPassing(
                    "tries", () -> refused.get() > 15 && clocks.monotonicNanos() - began > TimeUnit.MINUTES.toNanos(2));
            assertThat(gone()).isEmpty();
            refusing.set(false);
            awaitEnd(running);
        }
        assertThat(gone()).containsExactlyElementsOf(coldest(needed));
    }

    private RunningSweeper startNearTarget(int deleters) {
        return start(settings -> {
            settings.thresholds = new Thresholds(80.05, 80, 95, 0);
            settings.deleters = deleters;
            return settings;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void anErrorOfAMomentCostsNothing(int deleters) throws Exception {
        calls.fault = (call, name) -> call == Call.UNLINK && refused.getAndIncrement() < 60 ? Errno.EIO : 0;
        try (RunningSweeper running = start(settings -> {
            settings.deleters = deleters;
            return settings;
        })) {
            awaitEnd(running);
        }
        assertThat(gone()).containsExactlyElementsOf(coldest(NEEDED));
    }

    @Test
    void foldersOfOneRankThatAreStaleForAMomentKeepTheirFirstPlace() throws Exception {
        calls.fault = (call, name) ->
                call == Call.OPEN && name.contains("_r1/") && refused.getAndIncrement() < 60 ? Errno.ESTALE : 0;
        try (RunningSweeper running = start(settings -> settings)) {
            awaitEnd(running);
        }
        assertThat(gone()).containsExactlyElementsOf(coldest(NEEDED));
    }

    static Stream<Arguments> badInodes() {
        return Stream.of(Call.STAT_NOW, Call.UNLINK)
                .flatMap(call -> Stream.of(Errno.EIO, Errno.ESTALE)
                        .flatMap(errno -> Stream.of(1, 2).map(deleters -> Arguments.of(call, errno, deleters))));
    }

    @ParameterizedTest
    @MethodSource("badInodes")
    void badInodesAmongGoodOnesStayAndTheNextColdestGo(Call call, int errno, int deleters) throws Exception {
        Set<Path> bad = Set.of(
                coldest(1).getFirst(), coldest(20).getFirst(), coldest(NEEDED).getFirst());
        Set<String> names = Set.copyOf(
                bad.stream().map(file -> file.getFileName().toString()).toList());
        calls.fault = (made, name) -> made == call && names.contains(name) ? errno : 0;
        try (RunningSweeper running = start(settings -> {
            settings.deleters = deleters;
            return settings;
        })) {
            awaitEnd(running);
            assertThat(running.listener.warnings)
                    .anyMatch(text -> text.startsWith("cannot remove") && text.contains(Errno.name(errno)));
        }
        assertThat(gone())
                .containsExactlyElementsOf(coldest(NEEDED + bad.size()).stream()
                        .filter(file -> !bad.contains(file))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whereTheOnlyFilesThatHaveToGoAreBadInodesTheNextColdestGoInTheirPlace(int deleters) throws Exception {
        need(2);
        Set<String> bad = Set.copyOf(
                coldest(3).stream().map(file -> file.getFileName().toString()).toList());
        calls.fault = (made, name) -> made == Call.UNLINK && bad.contains(name) ? Errno.EIO : 0;
        try (RunningSweeper running = startNearTarget(deleters)) {
            awaitEnd(running);
        }
        assertThat(gone()).containsExactlyElementsOf(coldest(5).subList(0, 2));
    }

    /** More files than have to go, and than are tried at once. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theColdestLieInAFolderThatCannotBeOpenedAndTheOthersGoInTheirPlace(int deleters) throws Exception {
        need(20);
        CacheFiles cache = new CacheFiles(mount.resolve("cache"));
        for (int i = 0; i < 30; i++) {
            cache.file(COLD_RANK + "/fff/ff_g0/" + String.format("fffff%011x.bin", i), Duration.ofHours(2_000));
        }
        calls.fault = (call, name) -> call == Call.OPEN && name.endsWith("fff/ff_g0") && isDeleter() ? Errno.ESTALE : 0;
        try (RunningSweeper running = startNearTarget(deleters)) {
            awaitEnd(running);
        }
        assertThat(gone()).containsExactlyElementsOf(coldest(20));
    }

    @Test
    void aFolderThatHasGoneTakesItsFilesWithIt() throws Exception {
        Path gone = mount.resolve(mount.relativize(coldest(1).getFirst()).subpath(0, 3));
        Path moved = mount.resolve("kept");
        AtomicBoolean first = new AtomicBoolean(true);
        calls.fault = (call, name) -> {
            if (call == Call.OPEN && isDeleter() && first.compareAndSet(true, false)) {
                assertThat(gone.toFile().renameTo(moved.toFile())).isTrue();
            }
            return 0;
        };
        try (RunningSweeper running = start(settings -> settings)) {
            awaitEnd(running);
            assertThat(running.listener.warnings).noneMatch(text -> text.contains("refuses"));
        }
        assertThat(calls.usedBytes.get()).isEqualTo(TARGET_FILES * CacheFiles.FILE_BYTES);
    }

    @Test
    void aboveTheCriticalMarkTheColdestKeepTheirFirstPlaceToo() throws Exception {
        calls.usedBytes.set(960L * CacheFiles.FILE_BYTES);
        refuse(Call.UNLINK, Errno.EROFS);
        try (RunningSweeper running = start(settings -> {
            settings.thresholds = new Thresholds(85, 80, 95, TimeUnit.DAYS.toSeconds(365));
            return settings;
        })) {
            awaitPassing("it is told", () -> running.sweeper.status().problem().contains("EROFS"));
            refusing.set(false);
            awaitPassing("below the critical mark", () -> calls.usedBytes.get() < 950L * CacheFiles.FILE_BYTES);
            int files = gone().size();
            assertThat(coldest(160)).as("160 of 1,000 were needed").containsAll(gone());
            assertThat(files).isPositive();
        }
    }

    @Test
    void whatIsDueAnyhowIsKeptAsWellAndGoesAtOnceWhenItCan() throws Exception {
        calls.usedBytes.set(500L * CacheFiles.FILE_BYTES);
        refuse(Call.UNLINK, Errno.EROFS);
        try (RunningSweeper running = start(settings -> {
            settings.ttlSeconds = Map.of("m_0123456789ab", Duration.ofHours(900).toSeconds());
            return settings;
        })) {
            awaitPassing("it is told", () -> running.sweeper.status().problem().contains("EROFS"));
            assertThat(gone()).isEmpty();
            refusing.set(false);
            awaitPassing("all that is due", () -> gone().size() == COLD);
        }
        assertThat(gone()).containsExactlyElementsOf(coldest(COLD));
    }

    @Test
    void aSweeperThatPausesEndsAtOnce() throws Exception {
        refuse(Call.UNLINK, Errno.EIO);
        long stopped;
        try (RunningSweeper running = start(settings -> {
            settings.deleters = 4;
            return settings;
        })) {
            awaitPassing("it is told", () -> running.sweeper.status().problem().contains("EIO"));
            stopped = System.nanoTime();
        }
        assertThat(System.nanoTime() - stopped).isLessThan(TimeUnit.SECONDS.toNanos(2));
        assertThat(gone()).isEmpty();
    }

    /** The calls of a node on which the volume refuses removals. */
    private DirectoryCalls refusingNode() {
        return (DirectoryCalls) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DirectoryCalls.class},
                (proxy, method, arguments) -> method.getName().equals("unlink") && refusing.get()
                        ? (Object) (-Errno.EIO)
                        : method.invoke(calls, arguments));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSweeperThatPausesHoldsUpNoCommonRound(boolean comesBack) throws Exception {
        need(-100);
        UnaryOperator<RunningSweeper.Settings> leasing = settings -> {
            settings.leases = true;
            settings.intervalMillis = 100;
            return settings;
        };
        try (RunningSweeper one = start(refusingNode(), leasing);
                RunningSweeper two = start(leasing)) {
            awaitPassing(
                    "both have shards",
                    () -> one.sweeper.status().shards() + two.sweeper.status().shards() == 16
                            && one.sweeper.status().shards() > 0
                            && two.sweeper.status().shards() > 0);
            need(NEEDED);
            awaitPassing("it is told", () -> one.sweeper.status().problem().contains("EIO"));
            assertThat(two.sweeper.status().problem()).isEmpty();
            if (comesBack) {
                refusing.set(false);
            }
            awaitPassing("the target", () -> calls.usedBytes.get() <= TARGET_FILES * CacheFiles.FILE_BYTES);
            awaitPassing(
                    "both are done",
                    () -> !one.sweeper.status().deleting()
                            && !two.sweeper.status().deleting());
            refusing.set(false);
            awaitPassing("it is over", () -> one.sweeper.status().problem().isEmpty());
        }
        assertThat(gone().size()).as("the target, and a batch each below it").isBetween(NEEDED, NEEDED + 20);
    }
}
