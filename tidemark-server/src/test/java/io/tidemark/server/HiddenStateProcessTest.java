package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that ask for a server in a state directory of another user: what they may not see is not "none". */
class HiddenStateProcessTest {
    private static final List<String> UNPRIVILEGED =
            List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search");

    @TempDir
    private Path folder;

    private Path theirs;

    @BeforeEach
    void aDirectoryOfSomebodyElse() throws Exception {
        theirs = Files.createDirectory(folder.resolve("theirs"));
        Files.setPosixFilePermissions(theirs, PosixFilePermissions.fromString("rwx------"));
        try {
            Files.setAttribute(theirs, "unix:uid", 65_533);
            assumeTrue(run(List.of("true")).isEmpty(), "this machine lets us drop capabilities");
        } catch (IOException e) {
            assumeTrue(false, "needs root: " + e);
        }
    }

    private static String run(List<String> command) throws IOException {
        List<String> all = new ArrayList<>(UNPRIVILEGED);
        all.addAll(command);
        Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private String tidemark(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.tidemark.server.cli.Main"));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private String whose() {
        return "permission denied; this process runs as uid 0, and " + theirs + " belongs to uid 65533";
    }

    @Test
    void statusSaysThatItMayNotLook() throws Exception {
        assertThat(tidemark("status", "--state-dir", theirs.toString()))
                .contains(whose())
                .contains("is not to be seen")
                .doesNotContain("no server runs");
    }

    @Test
    void theDoctorTakesNothingForFreeThatItMayNotSee() throws Exception {
        assertThat(tidemark(
                        "doctor",
                        "--state-dir",
                        theirs.toString(),
                        "--dram",
                        "16Mi",
                        "--ssd",
                        "64Mi",
                        "--ssd-dir",
                        folder.resolve("ssd").toString(),
                        "--redis-port",
                        "0",
                        "--http-port",
                        "0"))
                .containsPattern("fail +server +whether one runs is not to be seen in " + theirs + ": ")
                .containsPattern("fail +socket +" + theirs + "/redis.sock is not to be seen: ")
                .containsPattern("fail +ssd +" + theirs + "/ssd-directories: permission denied")
                .contains(whose())
                .doesNotContain("none runs", "redis.sock is free");
    }
}
