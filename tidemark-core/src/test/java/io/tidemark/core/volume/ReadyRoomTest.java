package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.MemoryDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sweeper that has room for few of the files that it needs: what goes is found by several walks. */
class ReadyRoomTest {
    private static final int FILES = 700;
    private static final int ROOM = 100;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    @TempDir(factory = MemoryDir.class)
    private Path mount;

    private final TestClocks clocks = new TestClocks();

    /** The first the youngest: a day and an hour for each. */
    private List<Path> blocks() throws IOException {
        CacheFiles cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        List<Path> blocks = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            blocks.add(cache.block("m_0123456789ab_r0", i, Duration.ofHours(24 + i)));
        }
        return blocks;
    }

    /** Looks are slow, so that the deleters wait for the walk: shards walked first must not pay for those that come later. */
    @Test
    void ofMoreFilesThanThereIsRoomForTheColdestGo() throws Exception {
        List<Path> blocks = blocks();
        TwinCalls calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);
        calls.usedBytes.set(940L * CacheFiles.FILE_BYTES);
        calls.fault = (call, name) -> {
            if (call == TwinCalls.Call.STAT && name.endsWith(".bin")) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            return 0;
        };
        VolumeConfig config = RunningSweeper.config(mount, settings -> {
            settings.readyBuffer = ROOM;
            return settings;
        });
        try (RunningSweeper running = new RunningSweeper(config, calls, clocks)) {
            assertThat(running.awaitEnded(60)).isTrue();
        }
        assertThat(blocks.subList(0, 450)).allMatch(Files::exists);
        assertThat(blocks.subList(460, FILES)).noneMatch(Files::exists);
    }
}
