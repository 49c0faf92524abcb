package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.MemoryDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A sweeper that has room for few of the files that it needs: what goes is found by several walks. */
class ReadyRoomTest {
    private static final int FILES = 700;
    private static final long USED = 940;
    private static final long TOTAL = 1_000;
    /** Names in no order of age. */
    private static final long PRIME = 7_919;

    private static final int ROOM = 100;
    private static final int DELETERS = 1;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    @TempDir(factory = MemoryDir.class)
    private Path mount;

    private final TestClocks clocks = new TestClocks();

    /** Where the files lie, and what the volume is short of. */
    enum Volume {
        BYTES,
        INODES,
        /** One shard, without a sample. */
        FLAT;

        Layout layout() {
            return this == FLAT ? new SglangLayout() : new FsLayout(3);
        }

        TwinCalls calls() {
            boolean inodes = this == INODES;
            TwinCalls calls = new TwinCalls((inodes ? 10 : 1) * TOTAL * CacheFiles.FILE_BYTES, inodes ? TOTAL : 0);
            calls.usedBytes.set(USED * CacheFiles.FILE_BYTES);
            calls.usedInodes.set(inodes ? USED : 0);
            return calls;
        }
    }

    /** The first the youngest: a day and an hour for each. */
    private List<Path> blocks(Volume volume) throws IOException {
        CacheFiles cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        List<Path> blocks = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            Duration age = Duration.ofHours(24 + i);
            blocks.add(
                    volume == Volume.FLAT
                            ? cache.file(String.format(Locale.ROOT, "%064x_m_0_8.bin", i * PRIME % FILES), age)
                            : cache.block("m_0123456789ab_r0", i, age));
        }
        return blocks;
    }

    /** Looks are slow, so that the deleters wait for the walk: shards walked first must not pay for those that come later. */
    @ParameterizedTest
    @EnumSource
    void ofMoreFilesThanThereIsRoomForTheColdestGo(Volume volume) throws Exception {
        List<Path> blocks = blocks(volume);
        TwinCalls calls = volume.calls();
        calls.fault = (call, name) -> {
            if (call == TwinCalls.Call.STAT && name.endsWith(".bin")) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            return 0;
        };
        VolumeConfig config = RunningSweeper.config(mount, settings -> {
            settings.readyBuffer = ROOM;
            settings.deleters = DELETERS;
            settings.layout = volume.layout();
            settings.adopted = volume == Volume.FLAT;
            return settings;
        });
        try (RunningSweeper running = new RunningSweeper(config, calls, clocks)) {
            assertThat(running.awaitEnded(60)).isTrue();
        }
        assertThat(blocks.subList(0, 450)).allMatch(Files::exists);
        // a file that is just going may be reckoned as needed once more, so that the last chunk reaches a file further
        // for each deleter
        assertThat(blocks.subList(460, FILES)).filteredOn(Files::exists).hasSizeLessThanOrEqualTo(DELETERS);
    }
}
