package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TouchLogTest {
    private static final long NOW = 1_800_000_000;

    @TempDir
    private Path cache;

    private final RankDir rank = RankDir.of("m_r0", Optional.empty());
    private Path log;
    private Path old;

    @BeforeEach
    void folder() throws IOException {
        Path folder = Files.createDirectories(cache.resolve("m_r0"));
        log = folder.resolve(TouchLog.FILE);
        old = folder.resolve(TouchLog.OLD);
    }

    private void append(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String line(long block) {
        return String.format(Locale.ROOT, "%016x %d\n", block, NOW);
    }

    private static long known(Touches touches, RankDir rank, long block) {
        return touches.seconds(rank, new Layout.BlockHash(true, block));
    }

    /** A log that is large, of few lines: the rest is nonsense that touches nothing. */
    private void large() throws IOException {
        append(log, line(1) + ("x".repeat(1023) + "\n").repeat((int) (TouchLog.LARGE_BYTES / 1024)) + line(2));
    }

    private int readAll(TouchLog reader) {
        int told = 0;
        for (int i = 0; i < 20; i++) {
            told += reader.read(rank, NOW).told();
        }
        return told;
    }

    @Test
    void aLargeLogIsPutAsideAndEveryReaderHasReadEveryLine() throws IOException {
        Touches first = new Touches();
        Touches second = new Touches();
        TouchLog renames = new TouchLog(cache, first, () -> true);
        TouchLog reads = new TouchLog(cache, second, () -> false);
        large();
        assertThat(reads.read(rank, NOW).told()).as("a part of it").isEqualTo(1);
        assertThat(readAll(renames)).isEqualTo(2);
        assertThat(log).doesNotExist();
        append(old, line(3));
        append(log, line(4));
        assertThat(readAll(renames)).isEqualTo(2);
        assertThat(readAll(reads)).isEqualTo(3);
        for (long block = 1; block <= 4; block++) {
            assertThat(known(first, rank, block)).isEqualTo(NOW);
            assertThat(known(second, rank, block)).isEqualTo(NOW);
        }
        append(log, line(5));
        assertThat(readAll(renames)).isEqualTo(1);
        assertThat(readAll(reads)).isEqualTo(1);
    }

    @Test
    void whatWasReadCountsWhereALargeLogCannotBePutAside() throws IOException {
        large();
        Files.createDirectories(old.resolve("in the way"));
        Touches touches = new Touches();
        TouchLog reader = new TouchLog(cache, touches, () -> true);
        int told = 0;
        boolean failed = false;
        for (int i = 0; i < 20; i++) {
            TouchLog.Reading reading = reader.read(rank, NOW);
            told += reading.told();
            failed |= reading.failure().isPresent();
        }
        assertThat(told).isEqualTo(2);
        assertThat(failed).isTrue();
        append(log, line(3));
        assertThat(reader.read(rank, NOW).told()).isEqualTo(1);
    }

    @Test
    void aLineWithoutATimeIsAsOldAsTheLog() throws IOException {
        append(log, "%016x\n%016x %d\n%016x %d\n".formatted(1, 2, NOW + 5, 3, NOW - 900));
        Files.setLastModifiedTime(log, FileTime.from(NOW - 1_000, TimeUnit.SECONDS));
        Touches touches = new Touches();
        TouchLog reader = new TouchLog(cache, touches, () -> true);
        assertThat(reader.read(rank, NOW).told()).isEqualTo(3);
        assertThat(known(touches, rank, 1)).isEqualTo(NOW - 1_000);
        assertThat(known(touches, rank, 2)).as("in the future").isEqualTo(NOW - 1_000);
        assertThat(known(touches, rank, 3)).as("as it says").isEqualTo(NOW - 900);

        append(log, "%016x\n".formatted(1));
        Files.setLastModifiedTime(log, FileTime.from(NOW + 60, TimeUnit.SECONDS));
        assertThat(reader.read(rank, NOW).told()).isEqualTo(1);
        assertThat(known(touches, rank, 1)).as("a log ahead of our clock").isEqualTo(NOW);
    }

    @Test
    void whatTheHookWritesIsRead() throws Exception {
        Path hooks =
                Path.of(System.getenv().getOrDefault("TIDEMARK_ROOT", "..")).resolve("deploy/hooks");
        Path leaf = Files.createDirectories(log.resolveSibling("abc").resolve("de_g0"));
        String script = """
                import sys
                sys.path.insert(0, sys.argv[1])
                from touch_log import TouchLog
                log = TouchLog(batch=3)
                for block in sys.argv[3:]:
                    log.touched(sys.argv[2] + "/" + block + ".bin")
                """;
        Process python = new ProcessBuilder(
                        "python3",
                        "-B",
                        "-c",
                        script,
                        hooks.toAbsolutePath().toString(),
                        leaf.toString(),
                        "00000000000000a1",
                        "ffffffffffffffffffffffffffffffff00000000000000a2",
                        "00000000000000a3")
                .inheritIO()
                .start();
        assertThat(python.waitFor()).isZero();
        Touches touches = new Touches();
        long before = System.currentTimeMillis() / 1000 - 3_600;
        assertThat(new TouchLog(cache, touches, () -> true)
                        .read(rank, Long.MAX_VALUE)
                        .told())
                .isEqualTo(3);
        for (long block = 0xa1; block <= 0xa3; block++) {
            assertThat(known(touches, rank, block)).isGreaterThan(before);
        }
    }
}
