package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code tidemark volume} as a process over a file system whose calls hang, as those of a dead server's do. */
@Timeout(120)
class VolumeHangsTest {
    /** What a client asks a server for. */
    private static final Set<FuseFiles.Op> ALL = EnumSet.range(FuseFiles.Op.GETATTR, FuseFiles.Op.STATFS);

    static {
        ALL.addAll(Set.of(FuseFiles.Op.LOOKUP, FuseFiles.Op.OPENDIR, FuseFiles.Op.READDIR, FuseFiles.Op.CREATE));
    }

    private static final int FILES = 300;

    /** From the moment when the signal has come to the end. */
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** An answer that waited for the volume would never come, since the volume is let go by the test alone. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final CountDownLatch until = new CountDownLatch(1);
    private final HttpClient client = HttpClient.newHttpClient();
    private FuseMount fuse;
    private String address = "";

    @BeforeEach
    void volume() throws IOException {
        fuse = FuseMount.orSkip(folder);
        cache(fuse.root());
        for (int i = 0; i < FILES; i++) {
            block(fuse.root(), i, 4096);
        }
    }

    private static void cache(Path mount) throws IOException {
        Path model = Files.createDirectories(mount.resolve("cache/m_0123"));
        Files.writeString(model.resolve("config.json"), "{\"model_name\": \"org/m\"}");
    }

    private static void block(Path mount, int number, int bytes) throws IOException {
        Path leaf = Files.createDirectories(
                mount.resolve(String.format(Locale.ROOT, "cache/m_0123_r0/%03x/00_g0", number % 64)));
        Path file = Files.write(leaf.resolve(String.format(Locale.ROOT, "%016x.bin", number)), new byte[bytes]);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofHours(2 + number))));
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        if (fuse != null) {
            letGo();
            fuse.close();
        }
    }

    private void hang() {
        fuse.inject(ALL::contains, new FuseMount.Hang(until));
    }

    private void letGo() {
        fuse.heal();
        until.countDown();
    }

    private Process start(Map<String, String> more) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.tidemark.server.cli.Main",
                "volume");
        builder.environment()
                .putAll(Map.of(
                        "PVC_MOUNT_PATH", fuse.root().toString(),
                        "CACHE_DIRECTORY", "cache",
                        "METRICS_ADDRESS", "127.0.0.1:0",
                        "RECENCY", "mtime",
                        "LOGGER_INTERVAL_SECONDS", "0.1"));
        builder.environment().putAll(more);
        return builder.redirectErrorStream(true).start();
    }

    private static String lineWith(BufferedReader out, String text) throws IOException {
        String line = out.readLine();
        while (line != null && !line.contains(text)) {
            line = out.readLine();
        }
        assertThat(line).as("a line with " + text).isNotNull();
        return line == null ? "" : line;
    }

    private void listens(BufferedReader out) throws IOException {
        address = lineWith(out, "Health and metrics at").replaceAll(".* at ", "");
    }

    private String get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(ANSWER)
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }

    private void await(String path, Predicate<String> condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        String last = get(path);
        while (!condition.test(last)) {
            assertThat(System.nanoTime() - end).as(last).isNegative();
            TimeUnit.MILLISECONDS.sleep(20);
            last = get(path);
        }
    }

    /**
     * Asks it to end; what it says until it has heard that. From then on its time counts: how long a machine with other work
     * takes to deliver a signal is not the process's doing. It has done all it can when its first thread is gone: a call that
     * FUSE has taken is not given up by the kernel, whatever kills the process, so that the rest goes when that is answered.
     */
    private String endsSoon(Process process, BufferedReader out) throws Exception {
        process.toHandle().destroy();
        String said = linesTo(out, "Received shutdown signal");
        long heard = System.nanoTime();
        while (process.isAlive() && !isZombie(process)) {
            assertThat(System.nanoTime() - heard).isLessThan(END_NANOS);
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertThat(System.nanoTime() - heard).isLessThan(END_NANOS);
        letGo();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return said;
    }

    private static boolean isZombie(Process process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/status"))
                    .contains("State:\tZ");
        } catch (IOException gone) {
            return true;
        }
    }

    private void saysThatItDoesNotAnswer() throws Exception {
        assertThat(get("/livez")).isEqualTo("200 ok\n");
        await("/readyz", text -> text.contains("no look at the volume for 1"));
        assertThat(get("/readyz")).startsWith("503 ");
        assertThat(get("/livez")).isEqualTo("200 ok\n");
        assertThat(get("/metrics"))
                .contains("tidemark_volume_answers 0\n", "tidemark_volume_deleting 0\n", "tidemark_volume_problem 1\n")
                .doesNotContain("\ntidemark_volume_used_ratio");
        assertThat(get("/api/v1/volume")).contains("\"problem\":\"no look at the volume for 1");
    }

    @Test
    void beforeTheStartItSaysSoAnswersProbesAndHearsSigterm() throws Exception {
        hang();
        Process process = start(Map.of());
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).isEqualTo("PVC Evictor starting...");
            listens(out);
            assertThat(get("/readyz")).startsWith("503 ");
            assertThat(lineWith(out, "has not answered for"))
                    .contains("WARNING", "PVC_MOUNT_PATH='" + fuse.root() + "'", "nothing is walked or removed");
            saysThatItDoesNotAnswer();
            endsSoon(process, out);
        } finally {
            letGo();
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void aVolumeThatAnswersLateIsSweptThen() throws Exception {
        hang();
        Process process = start(Map.of("MODEL_TTL", "org/m=1h"));
        try (BufferedReader out = process.inputReader()) {
            listens(out);
            lineWith(out, "has not answered for");
            letGo();
            lineWith(out, "PVC mount path is ready");
            await("/readyz", text -> text.startsWith("200 ready"));
            await("/api/v1/volume", text -> text.contains("\"removed_files\":" + FILES + ","));
            endsSoon(process, out);
        } finally {
            letGo();
            process.destroyForcibly().waitFor();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whileItWalksAndWhileItDeletesItSaysSoAnswersProbesAndHearsSigterm(boolean walking) throws Exception {
        if (walking) {
            fuse.inject(op -> op == FuseFiles.Op.GETATTR || op == FuseFiles.Op.LOOKUP, new FuseMount.Slow(20));
        }
        Process process = start(
                walking
                        ? Map.of("CLEANUP_THRESHOLD", "99.9", "TARGET_THRESHOLD", "99.8")
                        : Map.of("MODEL_TTL", "org/m=1h", "DELETION_RATE_LIMIT", "20"));
        try (BufferedReader out = process.inputReader()) {
            listens(out);
            String counter = walking ? "discovered" : "removed_files";
            await("/api/v1/volume", text -> !text.contains("\"" + counter + "\":0,"));
            assertThat(get("/metrics")).contains("tidemark_volume_answers 1\n");
            hang();
            saysThatItDoesNotAnswer();
            assertThat(fuse.hanging()).isPositive();
            endsSoon(process, out);
        } finally {
            letGo();
            process.destroyForcibly().waitFor();
        }
    }

    /** The log's file is on a volume that hangs, and the cache on one that does not. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLogFileThatHangsHoldsUpNeitherLinesNorDeletionNorTheEnd(boolean comesBack, @TempDir Path images)
            throws Exception {
        Path file = fuse.root().resolve("evictor.log");
        try (Ext4Mount volume = Ext4Mount.orSkip(images, 16 << 20)) {
            cache(volume.root());
            FileStore store = Files.getFileStore(volume.root());
            for (int i = 0; store.getUsableSpace() > store.getTotalSpace() / 10; i++) {
                block(volume.root(), i, 16 << 10);
            }
            Process process = start(Map.of(
                    "PVC_MOUNT_PATH", volume.root().toString(),
                    "LOG_FILE_PATH", file.toString(),
                    "DELETION_RATE_LIMIT", "100"));
            StringBuilder said = new StringBuilder();
            try (BufferedReader out = process.inputReader()) {
                said.append(linesTo(out, "DELETION_START"));
                hang();
                said.append(linesTo(out, "DELETION_END"));
                assertThat(fuse.hanging()).isPositive();
                if (comesBack) {
                    letGo();
                }
                said.append(endsSoon(process, out));
                said.append(linesTo(out, "All processes stopped"));
            } finally {
                letGo();
                process.destroyForcibly().waitFor();
            }
            if (comesBack) {
                // what is said of the file is said on stdout alone, where the hang was long
                assertThat(Files.readAllLines(file))
                        .isEqualTo(said.toString()
                                .lines()
                                .filter(line -> !line.contains("log file " + file))
                                .toList());
            }
        }
    }

    /** The lines that come next, to the first with this text. */
    private static String linesTo(BufferedReader out, String text) throws IOException {
        StringBuilder lines = new StringBuilder();
        while (!lines.toString().contains(text)) {
            String line = out.readLine();
            assertThat(line).as("a line with %s after %s", text, lines).isNotNull();
            lines.append(line).append('\n');
        }
        return lines.toString();
    }
}
