package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.resp.wire.Certificates;
import io.tidemark.server.resp.wire.TlsFiles;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Where a server process takes its settings from: pipes, which can be read once, and names that are no path. */
@Timeout(120)
class ConfigProcessTest {
    @TempDir
    private Path folder;

    private ServeProcess start(Map<String, String> variables, String... flags) throws IOException {
        return ServeProcess.startPlain(variables, folder.resolve("state"), flags);
    }

    private static void write(ServeProcess server, String text) throws IOException {
        try (Writer stdin = server.process().outputWriter(StandardCharsets.UTF_8)) {
            stdin.write(text);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, --dram=64Mi", "true, --log-format=json", "false, --record=a\"b"})
    void aMistakeInAFileFromAPipeStopsTheStart(boolean json, String flag) throws Exception {
        try (ServeProcess server = start(Map.of(), "--config", "/dev/stdin", flag)) {
            write(server, "ssd:\n  capacity: 64Mi\nnonsense: 1\n");
            assertThat(server.exitCode()).isEqualTo(2);
            String problem = "/dev/stdin:3: unknown key 'nonsense'";
            if (json) {
                List<String> said = server.log().lines().toList();
                assertThat(said).hasSize(1);
                assertThat(JsonMapper.shared()
                                .readTree(said.getFirst())
                                .get("formattedMessage")
                                .asString())
                        .isEqualTo(problem);
            } else {
                assertThat(server.log()).isEqualTo("tidemark: " + problem + "\n");
            }
        }
        assertThat(folder.resolve("state")).doesNotExist();
    }

    @Test
    void aFileFromAPipeIsInEffect() throws Exception {
        try (ServeProcess server = start(Map.of("TIDEMARK_CONFIG", "/dev/stdin"))) {
            write(server, "dram:\n  capacity: 17Mi\n");
            server.awaitReady();
            assertThat(server.log()).contains("dram.capacity=17Mi (/dev/stdin:2)");
            server.terminate();
            assertThat(server.exitCode()).isZero();
        }
    }

    /** As a shell's {@code <(...)} makes them: what was in them is gone when it has been read. */
    @Test
    void certificateAndKeyFromPipesAreReadOnce() throws Exception {
        TlsFiles files = Certificates.make(folder, "own", "EC");
        String flags = " --redis-tls-cert-file <(cat \"$CERT\") --redis-tls-key-file <(cat \"$KEY\")";
        List<String> shell = List.of("bash", "-c", "exec \"$@\"" + flags, "bash");
        Map<String, String> where = Map.of(
                "CERT", files.certificate().path().toString(),
                "KEY", files.key().path().toString());
        List<String> places = List.of("--state-dir", folder.resolve("state").toString(), "--redis-port", "0");
        List<String> ports = List.of("--http-port", "0", "--redis-tls-port", "0", "--dram", "32Mi");
        try (ServeProcess server = ServeProcess.launch(
                shell, where, Stream.of(places, ports).flatMap(List::stream).toList())) {
            Endpoints at = server.awaitReady();
            assertThat(at.redis()).hasSize(2);
            assertThat(server.log()).contains("is no regular file, so it was read once");
        }
    }

    /** In the locale of a container a name beyond ASCII is none that the JVM can open. */
    @ParameterizedTest
    @CsvSource({
        "TIDEMARK_CONFIG, variable TIDEMARK_CONFIG:",
        "TIDEMARK_REDIS_SOCKET, variable TIDEMARK_REDIS_SOCKET: redis.socket:"
    })
    void aNameThatTheLocaleCannotSayIsAMistakeOfTheConfiguration(String variable, String where) throws Exception {
        List<String> shell =
                List.of("sh", "-c", "export " + variable + "=$(printf '/tmp/\\303\\274'); exec \"$@\"", "sh");
        try (ServeProcess server = ServeProcess.launch(shell, Map.of("LC_ALL", "C"), List.of())) {
            assertThat(server.exitCode()).isEqualTo(2);
            assertThat(server.log())
                    .startsWith("tidemark: " + where + " '/tmp/")
                    .endsWith("' is no path; expected characters of ANSI_X3.4-1968, or a start with LC_ALL=C.UTF-8\n")
                    .hasLineCount(1);
        }
    }

    @Test
    void aFolderForStateThatTheLocaleCannotSayIsAMistakeToo() throws Exception {
        List<String> shell =
                List.of("sh", "-c", "export XDG_STATE_HOME=$(printf '/tmp/\\303\\274'); exec \"$@\"", "sh");
        try (ServeProcess server = ServeProcess.launch(shell, Map.of("LC_ALL", "C"), List.of())) {
            assertThat(server.exitCode()).isEqualTo(2);
            assertThat(server.log())
                    .startsWith("tidemark: variable XDG_STATE_HOME: '/tmp/")
                    .endsWith("or a start with LC_ALL=C.UTF-8, or --state-dir\n");
        }
    }

    /** What the file of used directories says of paths is for people: no start stops at a name of another locale. */
    @Test
    void aStateThatNamesADirectoryThatTheLocaleCannotSayIsUsedOn() throws Exception {
        String common = "exec \"$@\" --redis-port 0 --http-port 0 --dram 32Mi --ssd 64Mi --state-dir ";
        String state = folder.resolve("state").toString();
        String odd = " --ssd-dir \"$(printf '" + folder + "/\\303\\274')\"";
        List<String> one = List.of("sh", "-c", common + state + odd, "sh");
        try (ServeProcess server = ServeProcess.launch(one, Map.of("LC_ALL", "C.UTF-8"), List.of())) {
            server.awaitReady();
            server.terminate();
            assertThat(server.exitCode()).isZero();
        }
        List<String> other = List.of("sh", "-c", common + state + " --ssd-dir " + folder.resolve("other"), "sh");
        try (ServeProcess server = ServeProcess.launch(other, Map.of("LC_ALL", "C"), List.of())) {
            server.awaitReady();
            server.terminate();
            assertThat(server.exitCode()).isZero();
        }
    }

    /** A file may be for any machine: the state that this one's default directory holds is another server's. */
    @Test
    void aFileThatNamesNoStateDirectoryIsNotHeldAgainstTheOneOfThisMachine() throws Exception {
        Path home = folder.resolve("home");
        Path state = Files.createDirectories(home.resolve("tidemark"));
        Files.writeString(state.resolve("ssd-directories"), "nonsense\n");
        Path plain = Files.writeString(folder.resolve("plain.yaml"), "dram: {capacity: 16Mi}\n");
        Path named = Files.writeString(folder.resolve("named.yaml"), "state-dir: " + state + "\n");
        String said = "which SSD directories the last run used is not known";
        assertThat(validated(home, plain.toString())).contains("valid").doesNotContain(said);
        assertThat(validated(home, named.toString())).contains("valid", said);
        assertThat(validated(home)).as("what serve would use here").contains("valid", said);
    }

    private static String validated(Path home, String... file) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.tidemark.server.cli.Main"));
        command.addAll(List.of("config", "validate"));
        command.addAll(List.of(file));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("TIDEMARK_") || name.startsWith("UMBP_"));
        builder.environment().put("XDG_STATE_HOME", home.toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
