package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.MemoryDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A block of a model with several groups of layers is a file a group, all of one hash: they are used, and stay, together. */
@Timeout(60)
class BlockPartsTest {
    private static final String RANK = "m_0123456789ab_r0";
    private static final int GROUPS = 3;
    private static final int BLOCKS = 300;
    private static final int READ = 10;

    @TempDir(factory = MemoryDir.class)
    private Path mount;

    private final TestClocks clocks = new TestClocks();

    private static List<Path> block(CacheFiles cache, int number, Duration age) throws IOException {
        Path first = cache.block(RANK, number, age);
        List<Path> parts = new ArrayList<>(List.of(first));
        String path = cache.root.relativize(first).toString();
        for (int i = 1; i < GROUPS; i++) {
            parts.add(cache.file(path.replace("_g0/", "_g" + i + "/"), age));
        }
        return parts;
    }

    @Test
    void g04_aUseThatIsToldOfABlockKeepsAllItsFilesWhileNewerOnesNobodyReadGo() throws Exception {
        CacheFiles cache = new CacheFiles(mount.resolve("cache"));
        cache.model("m_0123456789ab", "org/m");
        List<Path> read = new ArrayList<>();
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < READ; i++) {
            List<Path> parts = block(cache, i, Duration.ofDays(30));
            read.addAll(parts);
            log.append(parts.getFirst().getFileName().toString().replace(".bin", ""))
                    .append('\n');
        }
        Files.writeString(cache.root.resolve(RANK).resolve(TouchLog.FILE), log);
        List<Path> newer = new ArrayList<>();
        for (int i = READ; i < BLOCKS; i++) {
            newer.addAll(block(cache, i, Duration.ofHours(24 + i)));
        }
        TwinCalls calls = new TwinCalls(1_000L * CacheFiles.FILE_BYTES, 0);
        calls.usedBytes.set(900L * CacheFiles.FILE_BYTES);
        try (RunningSweeper running =
                new RunningSweeper(RunningSweeper.config(mount, settings -> settings), calls, clocks)) {
            assertThat(running.awaitEnded(30)).isTrue();
        }
        assertThat(read).as("read, and the oldest by their stamps").allMatch(Files::exists);
        assertThat(newer.stream().filter(file -> !Files.exists(file))).hasSize(200);
        assertThat(cache.root.resolve("m_0123456789ab/config.json")).exists();
    }
}
