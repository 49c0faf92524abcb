package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.core.medium.NativeDirectoryCalls;
import io.tidemark.core.volume.VolumeScan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The layout as vLLM's own code makes it, where that is installed (or VLLM_WHEEL names a wheel). */
@Timeout(60)
class VllmLayoutTest {
    private static final int BLOCKS = 400;
    private static final int NOT_THERE = 77;

    /** Marks that any file system is above, and nobody to ask. */
    private static final Map<String, String> ALWAYS_FULL =
            Map.of("CLEANUP_THRESHOLD", "0.0002", "TARGET_THRESHOLD", "0.0001", "METRICS_ADDRESS", "");

    @TempDir
    private Path folder;

    @Test
    void everyBlockThatVllmsFileMapperPlacesIsFoundAndTheRootProvesItself() throws Exception {
        Path root = folder.resolve("cache");
        write(root);
        VolumeScan.Report report =
                VolumeScans.scan(new NativeDirectoryCalls(), root, VolumeScans.layout("fs", false), 2, seen -> {});
        assertThat(report.files()).isEqualTo(BLOCKS);
        assertThat(report.proven()).isTrue();
        assertThat(report.unreadable()).isZero();
        assertThat(report.models()).hasSize(1);
        VolumeScan.Model model = report.models().getFirst();
        assertThat(model.name()).isEqualTo("org/Model-1-8B");
        assertThat(model.rankDirectories()).isEqualTo(2);
        assertThat(model.files()).isEqualTo(BLOCKS);
    }

    @Test
    void everyBlockThatVllmsFileMapperPlacesIsSwept() throws Exception {
        Path root = folder.resolve("cache");
        write(root);
        VolumeOptions options = VolumeOptionSources.resolve(
                Optional.empty(), ALWAYS_FULL, Map.of("CACHE_DIRECTORY", "cache", "PVC_MOUNT_PATH", folder.toString()));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        VolumeService service = new VolumeService(
                options, new NativeDirectoryCalls(), new PrintStream(said, true, StandardCharsets.UTF_8));
        Thread serving = Thread.ofPlatform().start(() -> {
            try {
                service.run();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (blocks(root) > 0 && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        service.stop();
        serving.join();
        assertThat(blocks(root)).as(said.toString(StandardCharsets.UTF_8)).isZero();
        try (Stream<Path> all = Files.walk(root)) {
            assertThat(all.filter(path -> path.endsWith("config.json"))).hasSize(1);
        }
    }

    @Test
    void whatVllmsTierReadsIsNotedByTheHookAndWhatItWritesOrCannotReadIsNot() throws Exception {
        Path root = folder.resolve("cache");
        Path hooks =
                Path.of(System.getenv().getOrDefault("TIDEMARK_ROOT", "..")).resolve("deploy/hooks");
        String said = python("load_with_vllm.py", hooks.toAbsolutePath().toString(), root.toString());
        assertThat(said).as("stored, read, read in part").isEqualTo("1 True\n2 True\n3 False\n");
        try (Stream<Path> all = Files.walk(root, 2)) {
            List<Path> logs =
                    all.filter(path -> path.endsWith("tidemark-touch.log")).toList();
            assertThat(logs).hasSize(1);
            assertThat(Files.readAllLines(logs.getFirst()))
                    .hasSize(2)
                    .satisfiesOnlyOnce(line -> assertThat(line).matches("(a0){32} \\d{10}"))
                    .satisfiesOnlyOnce(line -> assertThat(line).matches("(a1){32} \\d{10}"));
        }
    }

    /** Blocks that are there; those that go while they are counted count as there. */
    private static long blocks(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(path -> path.toString().endsWith(".bin")).count();
        } catch (UncheckedIOException _) {
            return 1;
        }
    }

    private void write(Path root) throws IOException, InterruptedException {
        python("write_with_vllm.py", root.toString(), Integer.toString(BLOCKS));
    }

    /** What a script printed on stdout. */
    private String python(String name, String... arguments) throws IOException, InterruptedException {
        Path script = folder.resolve(name);
        try (InputStream text = VllmLayoutTest.class.getResourceAsStream(name)) {
            if (text == null) {
                throw new IOException(name + " is not on the class path");
            }
            Files.write(script, text.readAllBytes());
        }
        List<String> command = new ArrayList<>(List.of("python3", "-B", script.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        assumeTrue(code != NOT_THERE, "needs vllm installed, or its wheel named by VLLM_WHEEL");
        assertThat(code).as(said).isZero();
        return said;
    }
}
