package io.tidemark.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.TidemarkServer;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.http.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The doctor on this very machine. */
class DoctorCommandTest {
    private final StringWriter out = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void aSoundSetupHasNothingToRepairAndLeavesNothingBehind() throws Exception {
        int exit = run("--state-dir", folder.resolve("state").toString(), "--dram", "16Mi", "--ssd", "64Mi");

        assertThat(exit).as(out.toString()).isZero();
        assertThat(out.toString()).contains("direct I/O", "0 to repair");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void everyLineOfJsonIsOneFinding() {
        run("--json", "--state-dir", folder.toString(), "--dram", "16Mi");

        List<String> lines = out.toString().lines().toList();
        for (String line : lines.subList(0, lines.size() - 1)) {
            Line finding = Json.read(line, Line.class);
            assertThat(finding.level()).isIn("ok", "warn", "fail");
            assertThat(finding.found()).isNotBlank();
            assertThat(finding.advice().isEmpty()).isEqualTo(finding.level().equals("ok"));
        }
        assertThat(lines.getLast()).startsWith("{\"check\":\"all\",\"ok\":");
    }

    /** A line of {@code --json}. */
    record Line(String check, String level, String found, String advice) {}

    @Test
    void aServerThatRunsIsRecognisedAndNotHarmed() throws Exception {
        Path state = folder.resolve("state");
        try (TidemarkServer server = TidemarkServer.start(serve(state), "test", () -> false)) {
            String[] same = {
                "--state-dir",
                state.toString(),
                "--dram",
                "16Mi",
                "--ssd",
                "64Mi",
                "--http-port",
                server.endpoints().http().replaceFirst(".*:", "")
            };

            assertThat(run(same)).as(out.toString()).isZero();

            assertThat(out.toString())
                    .contains("is served by the server that runs")
                    .contains(": serving");
            assertThat(server.status().backends()).hasSize(2);
            try (Stream<Path> files = Files.list(state.resolve("ssd"))) {
                assertThat(files.map(file -> file.getFileName().toString())).noneMatch(name -> name.contains("doctor"));
            }
        }
    }

    /** The same flags with which {@code serve} stops. */
    @Test
    void directoriesThatTheNextStartStopsAtAreFailures() throws Exception {
        Path ours = folder.resolve("state");
        try (TidemarkServer server = TidemarkServer.start(serve(ours), "test", () -> false)) {
            assertThat(server.status().backends()).hasSize(2);
            assertThat(runOn(folder.resolve("other"), ours.resolve("ssd"))).isEqualTo(1);
            assertThat(out.toString())
                    .containsPattern(
                            "fail  ssd ssd0 +" + ours.resolve("ssd") + ": it is in use by another process .pid "
                                    + ProcessHandle.current().pid());
        }
        Path other = folder.resolve("other");
        TidemarkServer.start(serve(other), "test", () -> false).close();
        try (TidemarkServer server = TidemarkServer.start(serve(ours), "test", () -> false)) {
            assertThat(server.status().backends()).hasSize(2);
            assertThat(runOn(other, ours.resolve("ssd"))).isEqualTo(1);
            assertThat(out.toString())
                    .containsPattern(
                            "fail  ssd ssd0 +" + ours.resolve("ssd") + ": it is in use by another process .pid ")
                    .doesNotContain("last used by the server of another state");
        }
        assertThat(runOn(other, ours.resolve("ssd"))).isEqualTo(1);
        assertThat(out.toString())
                .containsPattern("fail  ssd ssd0 +.*last used by the server of another state directory ." + ours + ",")
                .contains(ours.resolve("ssd").resolve("identity").toString());
        assertThat(runOn(folder.resolve("new"), ours.resolve("ssd") + "," + other.resolve("ssd")))
                .isEqualTo(1);
        assertThat(out.toString()).containsPattern("fail  ssd +SSD directories .* of different state directories");

        assertThat(runOn(ours, ours.resolve("ssd"))).as(out.toString()).isZero();
        Files.write(ours.resolve("ssd").resolve("identity"), new byte[0]);
        assertThat(runOn(ours, ours.resolve("ssd"))).isEqualTo(1);
        assertThat(out.toString()).containsPattern("fail  ssd ssd0 +.*its file identity is empty");
        assertThat(runOn(ours, ours.resolve("ssd") + "," + folder.resolve("fresh")))
                .as(out.toString())
                .isZero();
        assertThat(out.toString()).containsPattern("warn  ssd ssd0 +.*its file identity is empty");
        Files.writeString(ours.resolve("ssd-directories"), "nonsense\n");
        assertThat(runOn(ours, ours.resolve("ssd"))).isEqualTo(1);
        assertThat(out.toString()).containsPattern("fail  ssd +" + ours.resolve("ssd-directories") + " cannot be read");
    }

    @Test
    void g89_doctorAndValidateNameDirectoriesThatAStartWouldMakeVoid() throws Exception {
        Path state = folder.resolve("state");
        String text = "SSD directory " + state.resolve("ssd") + " of the last run is not configured any more";
        TidemarkServer running = TidemarkServer.start(serve(state), "test", () -> false);
        try {
            runOn(state, folder.resolve("other"));
            assertThat(out.toString())
                    .containsPattern("warn  ssd +" + text)
                    .contains("may be using it: give doctor the settings which that server was started with")
                    .doesNotContain("remove its files");
        } finally {
            running.close();
        }

        // a slow device ends a moment after its server
        Awaitility.await().until(() -> runOn(state, state.resolve("ssd")) == 0);
        assertThat(out.toString()).doesNotContain(text);
        assertThat(runOn(state, folder.resolve("other"))).as(out.toString()).isZero();
        assertThat(out.toString()).containsPattern("warn  ssd +" + text);
        String[] without = {"--state-dir", state.toString(), "--dram", "16Mi"};
        run(without);
        assertThat(out.toString()).containsPattern("warn  ssd +" + text);

        assertThat(validate(without)).isZero();
        assertThat(out.toString()).contains(text);
        assertThat(validate("--state-dir", state.toString(), "--dram", "16Mi", "--ssd", "64Mi"))
                .isZero();
        assertThat(out.toString()).doesNotContain(text);
        Path moved = Files.move(state.resolve("ssd"), folder.resolve("moved"));
        assertThat(validate(
                        "--state-dir",
                        state.toString(),
                        "--dram",
                        "16Mi",
                        "--ssd",
                        "64Mi",
                        "--ssd-dir",
                        moved.toString()))
                .isZero();
        assertThat(out.toString()).as("the same directory").doesNotContain(text);
        Files.writeString(state.resolve("ssd-directories"), "nonsense\n");
        assertThat(validate(without)).isZero();
        assertThat(out.toString()).contains("which SSD directories the last run used is not known", "cannot be read");
    }

    private int runOn(Path state, Object directories) {
        out.getBuffer().setLength(0);
        return run(
                "--state-dir",
                state.toString(),
                "--dram",
                "16Mi",
                "--ssd",
                "128Mi",
                "--redis-port",
                "0",
                "--http-port",
                "0",
                "--ssd-dir",
                directories.toString());
    }

    @Test
    void whatStopsAStartIsAFailureWithWhatToDo() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int exit = run(
                    "--state-dir",
                    file.toString(),
                    "--dram",
                    "16Mi",
                    "--redis-port",
                    Integer.toString(taken.getLocalPort()));

            assertThat(exit).isEqualTo(1);
            assertThat(out.toString())
                    .containsPattern("fail  state-dir +" + file + " is no directory")
                    .contains("-> give another --state-dir")
                    .contains("held by process " + ProcessHandle.current().pid());
        }
    }

    @Test
    void aBrokenConfigurationIsToldAndTheMachineIsLookedAtAllTheSame() throws IOException {
        Path config = Files.writeString(folder.resolve("a.yaml"), "dram: {capacty: 1Gi}\n");

        assertThat(run("--config", config.toString())).isEqualTo(1);
        assertThat(out.toString())
                .containsPattern("fail  configuration +" + config + ":1: unknown key 'dram.capacty'")
                .containsPattern("ok    java")
                .contains("not looked at", "memory, directories, ports and certificates");
    }

    @Test
    void aServerThatRunsIsAskedThoughTheConfigurationIsNotUnderstood() throws Exception {
        Path state = folder.resolve("state");
        Path config = Files.writeString(folder.resolve("a.yaml"), "state-dir: " + state + "\nredis: {bind: 0.0.0.0}\n");
        try (TidemarkServer server = TidemarkServer.start(serve(state), "test", () -> false)) {
            assertThat(run("--config", config.toString())).isEqualTo(1);
            assertThat(out.toString())
                    .containsPattern(
                            "ok    server +process \\d+, " + server.endpoints().http() + ": serving");
            assertThat(run("--config", config.toString(), "--dram", "lots")).isEqualTo(1);
            assertThat(out.toString().split(": serving", -1)).hasSize(3);
        }
    }

    @Test
    void missingFoldersAndRecordingsAreLookedAt() throws Exception {
        Path above = Files.createDirectory(folder.resolve("mnt"));
        String state = folder.resolve("state").toString();

        run(
                "--state-dir",
                state,
                "--dram",
                "16Mi",
                "--ssd",
                "128Mi",
                "--ssd-dir",
                above.resolve("x") + "," + above.resolve("y/z"),
                "--record",
                "/nope/rec");

        assertThat(out.toString())
                .containsPattern(
                        "warn  ssd ssd0 +" + above.resolve("x") + " was not there and lies on the file system of /")
                .containsPattern(
                        "fail  ssd ssd1 +.*" + above.resolve("y") + " is not there, and only the last folder is made")
                .containsPattern("fail  record +no directory /nope");
    }

    private static io.tidemark.server.config.TidemarkConfig serve(Path state) throws Exception {
        Map<String, Given> flags = new HashMap<>();
        Map.of(
                        "state-dir", state.toString(),
                        "dram.capacity", "16Mi",
                        "ssd.capacity", "64Mi",
                        "redis.port", "0",
                        "http.port", "0")
                .forEach((key, text) -> flags.put(key, new Given(text, new Origin.Flag(key))));
        return Effective.resolve(Optional.empty(), Map.of(), flags).config();
    }

    private int validate(String... args) {
        out.getBuffer().setLength(0);
        return line().execute(Stream.concat(Stream.of("config", "validate"), Stream.of(args))
                .toArray(String[]::new));
    }

    private int run(String... args) {
        return line().execute(
                        Stream.concat(Stream.of("doctor"), Stream.of(args)).toArray(String[]::new));
    }

    private CommandLine line() {
        CommandLine line = Commands.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(out, true));
        return line;
    }
}
