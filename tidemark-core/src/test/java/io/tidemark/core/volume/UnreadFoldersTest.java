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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
            cold.add(cache.block(COLD_RANK, i, Duration.ofHours(1_000 + i)));
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
        }
        assertThat(gone(hot)).isBetween((long) NEEDED, NEEDED + 10L);
    }
}
