package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The start script beside a jar that is built already, with a java that only writes down how it was called. */
@Timeout(60)
class StartScriptTest {
    private static final String DONT_INLINE = "-XX:CompileCommand=dontinline,";

    @TempDir
    private Path root;

    /** What it said, and how it ended. */
    private record Run(int code, String out, String err) {}

    @BeforeEach
    void layOut() throws IOException {
        Files.copy(
                Path.of(Optional.ofNullable(System.getenv("TIDEMARK_ROOT")).orElse(".."))
                        .resolve("tidemark"),
                root.resolve("tidemark"));
        Path java = root.resolve("jdk/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        findJdk("");
        Path dist = Files.createDirectories(root.resolve("target/dist"));
        Files.writeString(dist.resolve("it.jar"), "");
        Files.writeString(dist.resolve("it.jar.aot"), "");
        Files.writeString(dist.resolve("tidemark-server.current"), "it.jar\n");
    }

    private void findJdk(String first) throws IOException {
        Path file = root.resolve(".mvn/find-jdk.sh");
        Files.createDirectories(file.getParent());
        Files.writeString(file, first + "JAVA_HOME=" + root.resolve("jdk") + "\n");
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        Files.setLastModifiedTime(file.getParent(), FileTime.fromMillis(0));
    }

    private Process start(Map<String, String> variables, String... arguments) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder("sh", root.resolve("tidemark").toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().keySet().removeIf(name -> name.startsWith("TIDEMARK_"));
        builder.environment().putAll(variables);
        return builder.start();
    }

    private static Run end(Process process) throws IOException, InterruptedException {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), out, err);
    }

    @Test
    void aHeapThatCannotWorkIsRefusedByItsVariable() throws Exception {
        for (String heap : new String[] {"1m", "0g", "8191k", "4096"}) {
            Run run = end(start(Map.of("TIDEMARK_HEAP", heap), "status"));

            assertThat(run.code()).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err())
                    .isEqualTo("tidemark: TIDEMARK_HEAP='" + heap + "': too small; expected at least 16m\n");
        }
        for (String heap : new String[] {"1.5g", "512MB", "m", "010m", "12345678901234567890g"}) {
            Run run = end(start(Map.of("TIDEMARK_HEAP", heap), "status"));

            assertThat(run.code()).as(heap).isEqualTo(2);
            assertThat(run.err()).contains("TIDEMARK_HEAP='" + heap + "': expected a size");
        }
        assertThat(end(start(Map.of("TIDEMARK_HEAP", "16m"), "status")).out()).contains("-Xmx16m");
    }

    /** `cd` with CDPATH says where it goes. */
    @Test
    void theScriptFindsItsFolderByARelativePathWhateverCdpathIs() throws Exception {
        Path above = Objects.requireNonNull(root.getParent());
        ProcessBuilder builder = new ProcessBuilder("sh", root.getFileName() + "/tidemark", "status");
        builder.directory(above.toFile());
        builder.environment().put("CDPATH", above.toString());
        Run run = end(builder.start());
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains(root + "/target/dist/it.jar\nstatus\n");
    }

    @Test
    void theNameOfTheJarNeedsNoEndOfLine() throws Exception {
        Files.writeString(root.resolve("target/dist/tidemark-server.current"), "it.jar");
        Run run = end(start(Map.of(), "status"));
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("/it.jar\nstatus\n");
    }

    @Test
    void whatTheJvmSaysOfItselfIsNoResult() throws Exception {
        assertThat(end(start(Map.of(), "status")).out()).contains("-XX:+DisplayVMOutputToStderr");
    }

    @Test
    void aHeapWithWideReferencesGoesWithoutTheCacheOfLinkedClasses() throws Exception {
        assertThat(end(start(Map.of("TIDEMARK_HEAP", "31g"), "version")).out()).contains("-XX:AOTCache=");
        assertThat(end(start(Map.of("TIDEMARK_HEAP", "32g"), "version")).out()).doesNotContain("-XX:AOTCache=");
        assertThat(end(start(Map.of("TIDEMARK_HEAP", "34359738368"), "serve")).out())
                .doesNotContain("-XX:AOTCache=");
        // a share of the memory that is given has the JVM widen references on a large machine, its own default does not
        assertThat(end(start(Map.of(), "version")).out())
                .contains("-XX:AOTCache=")
                .doesNotContain("MaxRAMPercentage");
    }

    @Test
    void aServerHasACacheOfItsOwn() throws Exception {
        assertThat(end(start(Map.of(), "serve")).out()).as("there is none yet").doesNotContain("-XX:AOTCache=");
        Files.writeString(root.resolve("target/dist/it.jar.serve.aot"), "");
        assertThat(end(start(Map.of(), "serve")).out()).contains("/it.jar.serve.aot\n");
        assertThat(end(start(Map.of(), "status")).out()).contains("/it.jar.aot\n");
    }

    @Test
    void methodsThatAreNamedToTheCompilersAreThere() throws Exception {
        List<String> named = end(start(Map.of(), "serve"))
                .out()
                .lines()
                .filter(flag -> flag.startsWith(DONT_INLINE))
                .map(flag -> flag.substring(DONT_INLINE.length()))
                .toList();

        assertThat(named).isNotEmpty();
        for (String method : named) {
            String[] parts = method.split("::", 2);
            assertThat(Class.forName(parts[0]).getDeclaredMethods())
                    .extracting(Method::getName)
                    .contains(parts[1]);
        }
        assertThat(end(start(Map.of(), "status")).out()).doesNotContain(DONT_INLINE);
    }

    @Test
    void g125_sigtermBeforeTheJvmEndsWhatServesWithCodeZero() throws Exception {
        Path begun = root.resolve("begun");
        findJdk("touch " + begun + "\nuntil [ -e " + root.resolve("go") + " ]; do sleep 0.05; done\n");
        for (String command : new String[] {"serve", "volume", "status"}) {
            Files.deleteIfExists(begun);
            Process process = start(Map.of(), command);
            while (!Files.exists(begun)) {
                assertThat(process.waitFor(5, TimeUnit.MILLISECONDS)).isFalse();
            }
            process.toHandle().destroy(); // leaves the streams open
            Run run = end(process);

            assertThat(run.code()).as(command).isEqualTo(command.equals("status") ? 143 : 0);
            assertThat(run.out()).isEmpty();
        }
    }

    @Test
    void whoMayNotBuildIsToldWhatToDo() throws Exception {
        Path dist = root.resolve("target/dist");
        Files.delete(dist.resolve("tidemark-server.current"));
        Files.delete(dist.resolve("it.jar"));
        Files.delete(dist.resolve("it.jar.aot"));
        Files.delete(dist);
        Files.writeString(dist, "a file: no folder can be made here, whoever asks");

        Run run = end(start(Map.of(), "version"));

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("has to be built first", "once as one who may");
    }
}
