package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a sweeper needs for 256 rank directories, in a JVM with the flags of {@code ./tidemark volume}. */
class SweeperMemoryTest {
    private static final int RANKS = 256;
    private static final long LIMIT_KIB = 256 << 10;

    @TempDir
    private Path mount;

    private void sweepsWithinTheLimit(int buckets, long files, long patienceSeconds) throws Exception {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseCompactObjectHeaders",
                        "-Xmx112m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SyntheticSweep.class.getName(),
                        mount.toString(),
                        Integer.toString(RANKS),
                        Integer.toString(buckets),
                        Long.toString(files),
                        Long.toString(patienceSeconds)))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(said).isZero();
        String[] words = said.substring(said.lastIndexOf('\n') + 1).split(" ", -1);
        assertThat(words[0]).as("reached the target: " + said).isEqualTo("true");
        assertThat(Long.parseLong(words[1])).as("resident KiB").isLessThanOrEqualTo(LIMIT_KIB);
        assertThat(Long.parseLong(words[2])).as("removed").isGreaterThan(files / 200);
        assertThat(Double.parseDouble(words[3])).as("among the coldest").isGreaterThan(0.99);
        System.out.println(files + " files in " + RANKS + " rank directories: " + said);
    }

    @Test
    @Timeout(300)
    void twoMillionFilesIn256RankDirectoriesNeedLessThan256MiB() throws Exception {
        sweepsWithinTheLimit(64, 2_000_000, 240);
    }

    @Test
    @Tag("soak")
    @Timeout(3_600)
    void aHundredMillionFilesIn256RankDirectoriesNeedLessThan256MiB() throws Exception {
        sweepsWithinTheLimit(4_096, 100_000_000, 3_000);
    }
}
