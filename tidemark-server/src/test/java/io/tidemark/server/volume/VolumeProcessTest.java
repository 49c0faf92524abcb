package io.tidemark.server.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** {@code tidemark volume} as a process of its own. */
@Timeout(120)
class VolumeProcessTest {
    @TempDir
    private Path mount;

    private Process start(Map<String, String> environment) throws IOException {
        return start(environment, "io.tidemark.server.cli.Main", "volume");
    }

    private Process start(Map<String, String> environment, String... mainAndArguments) throws IOException {
        return builder(mount, environment, mainAndArguments).start();
    }

    /** A process over a volume, which a test may change. */
    static ProcessBuilder builder(Path mount, Map<String, String> environment, String... mainAndArguments) {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"));
        builder.command().addAll(List.of(mainAndArguments));
        builder.environment().put("PVC_MOUNT_PATH", mount.toString());
        builder.environment().put("CACHE_DIRECTORY", "cache");
        builder.environment().put("METRICS_ADDRESS", "127.0.0.1:0");
        builder.environment().put("LOGGER_INTERVAL_SECONDS", "0.05");
        builder.environment().putAll(environment);
        return builder.redirectErrorStream(true);
    }

    private static final int MANY_FILES = 100_000;

    /** A hundred thousand files in 256 folders; one of the folders. */
    private Path manyFiles() throws IOException {
        cache(0);
        Path leaf = mount;
        for (int i = 0; i < MANY_FILES; i++) {
            int folder = i % 256;
            leaf = mount.resolve(String.format(Locale.ROOT, "cache/m_0123_r0/%03x/00_g0", folder));
            if (i == folder) {
                Files.createDirectories(leaf);
            }
            Files.write(leaf.resolve(String.format(Locale.ROOT, "%016x.bin", i)), new byte[1]);
        }
        return leaf;
    }

    /**
     * Asks it to end. Its time counts from the moment when it has heard that: how long a machine with other work takes to
     * deliver a signal is not the process's doing.
     */
    private static void endsSoon(Process process, BufferedReader out) throws Exception {
        process.toHandle().destroy();
        lineWith(out, "Received shutdown signal");
        long heard = System.nanoTime();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(System.nanoTime() - heard).isLessThan(TimeUnit.SECONDS.toNanos(2));
        assertThat(process.exitValue()).isZero();
    }

    private static int entries(Path folder) throws IOException {
        try (var all = Files.list(folder)) {
            return (int) all.count();
        }
    }

    static boolean ran(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    @Test
    void sigtermEndsItSoonWithManyFilesWhileItWalksAndWhileItDeletes() throws Exception {
        assumeTrue(
                ran("mount", "-t", "tmpfs", "-o", "size=1g", "tmpfs", mount.toString()),
                "needs root, to mount a tmpfs for a hundred thousand files");
        try {
            sigtermWithManyFiles();
        } finally {
            assertThat(ran("umount", mount.toString())).isTrue();
        }
    }

    private void sigtermWithManyFiles() throws Exception {
        Path leaf = manyFiles();
        int files = entries(leaf);
        Process walking = start(Map.of("CLEANUP_THRESHOLD", "99.9", "TARGET_THRESHOLD", "99.8"));
        try (BufferedReader out = walking.inputReader()) {
            lineWith(out, "Health and metrics at");
            endsSoon(walking, out);
        } finally {
            walking.destroyForcibly().waitFor();
        }
        assertThat(entries(leaf)).isEqualTo(files);
        Process deleting = start(Map.of(
                "CLEANUP_THRESHOLD",
                "0.0002",
                "TARGET_THRESHOLD",
                "0.0001",
                "FILE_ACCESS_TIME_THRESHOLD_MINUTES",
                "0",
                "DELETION_RATE_LIMIT",
                "20000"));
        try (BufferedReader out = deleting.inputReader()) {
            lineWith(out, "DELETION_START");
            while (entries(leaf) == files) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            endsSoon(deleting, out);
        } finally {
            deleting.destroyForcibly().waitFor();
        }
        assertThat(blocks()).as("it was in the middle of it").isPositive();
    }

    static String lineWith(BufferedReader out, String text) throws IOException {
        String line = out.readLine();
        while (line != null && !line.contains(text)) {
            line = out.readLine();
        }
        assertThat(line).as("a line with " + text).isNotNull();
        return line == null ? "" : line;
    }

    private void cache(int files) throws IOException {
        Path root = mount.resolve("cache");
        Files.createDirectories(root.resolve("m_0123"));
        Files.writeString(root.resolve("m_0123/config.json"), "{\"model_name\": \"org/m\"}");
        for (int i = 0; i < files; i++) {
            Path leaf = root.resolve(String.format(Locale.ROOT, "m_0123_r0/%03x/00_g0", i % 64));
            Files.createDirectories(leaf);
            Path file = Files.write(leaf.resolve(String.format(Locale.ROOT, "%016x.bin", i)), new byte[4096]);
            FileTime time = FileTime.from(Instant.now().minus(Duration.ofHours(2 + i)));
            Files.getFileAttributeView(file, BasicFileAttributeView.class).setTimes(time, time, null);
        }
    }

    /** Marks that the file system of the temporary folder is above or below, whatever is on it. */
    private static final Map<String, String> ALWAYS_FULL =
            Map.of("CLEANUP_THRESHOLD", "0.0002", "TARGET_THRESHOLD", "0.0001");

    @Test
    void aBadValueEndsWithOneAndNamesVariableValueAndExpectation() throws Exception {
        Process process = start(Map.of("TARGET_THRESHOLD", "90"));
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(out).contains("TARGET_THRESHOLD").contains("90").contains("expected");
    }

    @Test
    void aLogFileThatCannotBeMeantEndsWithOneBeforeAnythingStarts() throws Exception {
        Process process = start(Map.of("LOG_FILE_PATH", "/nope/x.log"));
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(out).startsWith("tidemark: LOG_FILE_PATH='/nope/x.log': expected a file in a folder that exists");
    }

    @Test
    void asJsonStdoutHoldsObjectsOnlyFromTheFirstLineToTheLast() throws Exception {
        cache(10);
        ProcessBuilder builder = builder(mount, ALWAYS_FULL, "io.tidemark.server.cli.Main", "volume", "--json");
        Process process = builder.redirectErrorStream(false)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        JsonMapper json = JsonMapper.builder().build();
        List<String> messages = new ArrayList<>();
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                messages.add(json.readTree(line).get("formattedMessage").asString());
                if (messages.getLast().startsWith("DELETION_START")) {
                    process.toHandle().destroy();
                }
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(messages).startsWith("PVC Evictor starting...").endsWith("All processes stopped");
    }

    @Test
    void aSecondOneOnAMachineSaysWhereItsPageIsAndWhoHasThePort() throws Exception {
        cache(1);
        ProcessBuilder builder = builder(mount, Map.of(), "io.tidemark.server.cli.Main", "volume");
        builder.environment().remove("METRICS_ADDRESS");
        try (Closeable _ = holding(9466)) {
            Process process = builder.start();
            try (BufferedReader out = process.inputReader()) {
                String warning = lineWith(out, "127.0.0.1:9466 is taken");
                assertThat(warning)
                        .contains("WARNING", "(held by process ")
                        .contains("tidemark volume status --address 127.0.0.1:");
                String address = warning.replaceAll(".*--address ([^ ,]+).*", "$1");
                assertThat(lineWith(out, "Health and metrics at")).endsWith("http://" + address);
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }

    /** Holds a port; where somebody else does, that will do. */
    private static Closeable holding(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (BindException _) {
            socket.close();
        }
        return socket;
    }

    @Test
    void whileTheMountIsMissingItSaysWhatItWaitsFor() throws Exception {
        Process process = start(Map.of("PVC_MOUNT_PATH", mount + "/nope"));
        try (BufferedReader out = process.inputReader()) {
            assertThat(lineWith(out, "waiting up to 60 s for")).contains("PVC_MOUNT_PATH='" + mount + "/nope'");
            process.toHandle().destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void aModelsWeightsInTheRootEndWithOneAdoptedOrNot() throws Exception {
        cache(10);
        Files.createFile(mount.resolve("cache/model-00001-of-00002.safetensors"));
        Process process = start(Map.of("ADOPT", "true"));
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(out).contains("safetensors");
    }

    @Test
    void aListenerBeyondLoopbackIsRefusedUnlessMeant() throws Exception {
        cache(1);
        Process process = start(Map.of("METRICS_ADDRESS", "0.0.0.0:0"));
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(out).contains("METRICS_OPEN");
    }

    @Test
    void aDryRunThatIsStoppedSaysWhatItWouldHaveDeletedInAll() throws Exception {
        cache(40);
        Map<String, String> rehearsal = new HashMap<>(ALWAYS_FULL);
        rehearsal.put("DRY_RUN", "true");
        Process process = start(rehearsal);
        try (BufferedReader out = process.inputReader();
                HttpClient client = HttpClient.newHttpClient()) {
            String address = lineWith(out, "Health and metrics at").replaceAll(".* at ", "");
            assertThat(lineWith(out, "DELETION_START")).endsWith("(DRY RUN: nothing is removed)");
            for (int i = 0; i < 40; i++) {
                lineWith(out, "DRY RUN: would delete ");
            }
            assertThat(get(client, address + "/api/v1/volume"))
                    .contains("\"mode\":\"dry_run\"", "\"would_remove_files\":40,\"would_remove_bytes\":163840");
            process.toHandle().destroy();
            assertThat(lineWith(out, "files in all"))
                    .contains(
                            "DRY RUN: would delete 40 files in all (163840 bytes, 0.00GB), last used 2.0 h to 41.0 h ago");
            assertThat(blocks()).isEqualTo(40);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void sigtermWhileDeletingEndsWithZeroWithinTwoSeconds() throws Exception {
        cache(2_000);
        Process process =
                start(Map.of("CLEANUP_THRESHOLD", "0.0002", "TARGET_THRESHOLD", "0.0001", "DELETION_RATE_LIMIT", "50"));
        try (BufferedReader out = process.inputReader()) {
            assertThat(lineWith(out, "DELETION_START")).contains("usage=");
            endsSoon(process, out);
            lineWith(out, "All processes stopped");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"root", "open", "list", "stat", "unlink", "space"})
    void sigtermEndsItWithinTwoSecondsWhenAThreadIsStuckInTheKernel(String call) throws Exception {
        cache(200);
        Process process = start(ALWAYS_FULL, StuckVolume.class.getName(), call);
        try (BufferedReader out = process.inputReader()) {
            lineWith(out, "STUCK in " + call);
            endsSoon(process, out);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void ofTwoOnOneVolumeOneIsKilledAndTheOtherFinishes() throws Exception {
        cache(600);
        Map<String, String> slow =
                Map.of("CLEANUP_THRESHOLD", "0.0002", "TARGET_THRESHOLD", "0.0001", "DELETION_RATE_LIMIT", "100");
        Process first = start(slow);
        Process second = start(slow);
        try (BufferedReader out = first.inputReader();
                BufferedReader other = second.inputReader()) {
            lineWith(out, "DELETION_START");
            lineWith(other, "DELETION_START");
            first.destroyForcibly().waitFor();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
            while (blocks() > 0 && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(blocks()).as("shards of the dead one are taken over").isZero();
        } finally {
            first.destroyForcibly().waitFor();
            second.destroyForcibly().waitFor();
        }
    }

    @Test
    void afterAKillTheNextOneGoesOnAtOnce() throws Exception {
        cache(500);
        Map<String, String> slow =
                Map.of("CLEANUP_THRESHOLD", "0.0002", "TARGET_THRESHOLD", "0.0001", "DELETION_RATE_LIMIT", "20");
        Process first = start(slow);
        try (BufferedReader out = first.inputReader()) {
            lineWith(out, "DELETION_START");
            first.destroyForcibly().waitFor();
        }
        Process second = start(ALWAYS_FULL);
        try (BufferedReader out = second.inputReader()) {
            lineWith(out, "DELETION_START");
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (blocks() > 0 && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(blocks()).isZero();
        } finally {
            second.destroyForcibly().waitFor();
        }
    }

    /** Blocks that are there; those that go while they are counted count as there. */
    private long blocks() throws IOException {
        try (var all = Files.walk(mount.resolve("cache"))) {
            return all.filter(path -> path.toString().endsWith(".bin")).count();
        } catch (UncheckedIOException e) {
            return 1;
        }
    }

    @Test
    void healthMetricsAndStatusAnswer() throws Exception {
        cache(300);
        Process process = start(Map.of("CLEANUP_THRESHOLD", "99.9", "TARGET_THRESHOLD", "99.8"));
        try (BufferedReader out = process.inputReader();
                HttpClient client = HttpClient.newHttpClient()) {
            String address = lineWith(out, "Health and metrics at").replaceAll(".* at ", "");
            assertThat(get(client, address + "/livez")).isEqualTo("200 ok\n");
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!get(client, address + "/metrics").contains("tidemark_volume_files 300")
                    && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            assertThat(get(client, address + "/readyz")).startsWith("200");
            assertThat(get(client, address + "/metrics"))
                    .contains("tidemark_volume_files 300")
                    .contains("tidemark_volume_recency_source{source=\"")
                    .contains("tidemark_volume_age_bytes{age_from_seconds=\"3600\"}")
                    .doesNotContain("{le=")
                    .contains("tidemark_volume_mark_ratio{mark=\"cleanup\"} 0.999");
            assertThat(get(client, address + "/api/v1/volume"))
                    .contains("\"mode\":\"run\"", "\"deleting\":false")
                    .contains("\"ages\":[{")
                    .doesNotContain("would_remove");
            assertThat(get(client, address + "/"))
                    .startsWith("200")
                    .contains("<svg id=\"usage\"", " min ago", "bar.to_seconds");
            assertThat(get(client, address + "/nothing")).startsWith("404");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void whenAllFilesAreYoungTheLogOnceAndHealthAndMetricsSayWhyNothingGoes() throws Exception {
        cache(50);
        Map<String, String> young = new HashMap<>(ALWAYS_FULL);
        young.put("FILE_ACCESS_TIME_THRESHOLD_MINUTES", "525600");
        young.put("CRITICAL_THRESHOLD", "100");
        Process process = start(young);
        try (BufferedReader out = process.inputReader();
                HttpClient client = HttpClient.newHttpClient()) {
            String address = lineWith(out, "Health and metrics at").replaceAll(".* at ", "");
            String why = "all 50 files were used within FILE_ACCESS_TIME_THRESHOLD_MINUTES=525600";
            assertThat(lineWith(out, "nothing may go")).contains("WARNING", why);
            assertThat(get(client, address + "/readyz"))
                    .startsWith("200 ready\nproblem: ")
                    .contains(why);
            assertThat(get(client, address + "/metrics")).contains("tidemark_volume_problem 1\n");
            // fifty small files are less than what has to go from wherever the temporary folder is
            assertThat(get(client, address + "/api/v1/volume"))
                    .contains("\"problem\":\"nothing may go: the cache is ", "something else fills the volume (" + why);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    static String get(HttpClient client, String address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .timeout(Duration.ofSeconds(20))
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }
}
