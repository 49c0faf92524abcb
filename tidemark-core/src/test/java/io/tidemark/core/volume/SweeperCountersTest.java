package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.Errno;
import io.tidemark.core.pool.CounterVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the sweeper counts of a deletion, by model and by reason. */
class SweeperCountersTest {
    private static final List<String> MODELS = List.of("a_0123456789ab", "b_0123456789ab");

    @TempDir
    private Path mount;

    private final TestClocks clocks = new TestClocks();
    private final TwinCalls calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);

    /** 200 blocks of each model, the first the youngest; those of the second are an hour older. */
    private List<List<Path>> blocks() throws Exception {
        CacheFiles cache = new CacheFiles(mount.resolve("cache"));
        List<List<Path>> blocks = new ArrayList<>();
        for (int model = 0; model < MODELS.size(); model++) {
            cache.model(MODELS.get(model), "org/m");
            List<Path> ofModel = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                ofModel.add(cache.block(MODELS.get(model) + "_r0", i, Duration.ofHours(24 + 2 * i + model)));
            }
            blocks.add(ofModel);
        }
        return blocks;
    }

    @Test
    void whatWentIsCountedByModelAndWhatWasPassedOverByReason() throws Exception {
        calls.usedBytes.set(800L * CacheFiles.FILE_BYTES);
        List<List<Path>> blocks = blocks();
        Map<String, Long> counted = new TreeMap<>();
        try (RunningSweeper running = new RunningSweeper(RunningSweeper.config(mount, one -> one), calls, clocks)) {
            running.awaitPasses(1, 30);
            for (Path read : blocks.getFirst().subList(190, 200)) {
                CacheFiles.used(read, Duration.ZERO);
            }
            for (Path removed : blocks.getFirst().subList(187, 190)) {
                Files.delete(removed);
            }
            for (Path refusing : blocks.getLast().subList(195, 200)) {
                calls.unlinkErrors.put(refusing.getFileName().toString(), Errno.EPERM);
            }
            calls.usedBytes.set(900L * CacheFiles.FILE_BYTES);
            assertThat(running.awaitEnded(30)).isTrue();
            running.sweeper.counters(into(counted));
        }
        // The coldest 218, 109 of each, are gone through for the 200 that have to go.
        assertThat(counted)
                .containsEntry("tidemark_volume_removed_files_total model a_0123456789ab reason capacity", 96L)
                .containsEntry("tidemark_volume_removed_files_total model b_0123456789ab reason capacity", 104L)
                .containsEntry(
                        "tidemark_volume_removed_bytes_total model b_0123456789ab reason capacity",
                        104L * CacheFiles.FILE_BYTES)
                .containsEntry("tidemark_volume_skipped_total reason hot_again", 10L)
                // and one more when a walk beside the deletion lists a file just before it goes
                .hasEntrySatisfying(
                        "tidemark_volume_skipped_total reason gone",
                        gone -> assertThat(gone).isBetween(3L, 10L))
                .containsEntry("tidemark_volume_skipped_total reason EPERM", 5L);
    }

    private static CounterVisitor into(Map<String, Long> counted) {
        return new CounterVisitor() {
            @Override
            public void counter(String name, String help, long value, String... labels) {
                counted.put((name + " " + String.join(" ", labels)).strip(), value);
            }

            @Override
            public void gauge(String name, String help, double value, String... labels) {}
        };
    }
}
