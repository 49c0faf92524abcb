package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the start script has to tell from a whole run: one that was cut off. */
@Timeout(60)
class WarmUpProcessTest {
    private static final long POLL_MILLIS = 5;

    @TempDir
    private Path folder;

    @Test
    void aRunThatASignalCutsOffHasFailed() throws Exception {
        Process warmUp = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.tidemark.server.cli.Main",
                        "warm-up"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try {
            while (!serves()) {
                assertThat(warmUp.isAlive()).as("serves before it ends").isTrue();
                Thread.sleep(POLL_MILLIS);
            }
            assertThat(new ProcessBuilder("kill", "-TERM", Long.toString(warmUp.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(warmUp.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(warmUp.exitValue()).isEqualTo(1);
            assertThat(Files.readString(folder.resolve("log"))).doesNotContain("warm-up done");
        } finally {
            warmUp.destroyForcibly();
        }
    }

    /** Whether its server has made its lock: signals are heard from before that on. */
    private boolean serves() throws IOException {
        try (Stream<Path> runs = Files.list(folder)) {
            return runs.anyMatch(run -> Files.exists(run.resolve("state/tidemark.lock")));
        }
    }
}
