package io.tidemark.server.volume;

import static io.tidemark.server.volume.VolumeProcessTest.lineWith;
import static io.tidemark.server.volume.VolumeProcessTest.ran;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.core.medium.NativeDirectoryCalls;
import io.tidemark.testing.SharedData;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code tidemark volume} on a file system of its own, from above the mark to the end of deletion. */
@Timeout(240)
class SweepProcessTest {
    private static final long BLOCK = BlockFiles.BYTES;
    private static final int BATCH = 10;
    private static final double FULL = 0.88;
    private static final double TARGET = 0.70;
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d";

    @TempDir
    private Path mount;

    private BlockFiles files;

    @BeforeEach
    void aVolume() throws Exception {
        assumeTrue(
                ran("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", mount.toString()),
                "needs root, to mount a tmpfs");
        files = new BlockFiles(mount.resolve("kv/model-cache/models"));
        files.model("m_0123456789ab", "org/m");
    }

    @AfterEach
    void noVolume() throws Exception {
        assertThat(ran("umount", "--lazy", mount.toString())).isTrue();
    }

    private Process start(Map<String, String> environment) throws IOException {
        Map<String, String> all = new HashMap<>(
                Map.of("CACHE_DIRECTORY", "kv/model-cache/models", "DELETION_BATCH_SIZE", Integer.toString(BATCH)));
        all.putAll(environment);
        return VolumeProcessTest.builder(mount, all, "io.tidemark.server.cli.Main", "volume")
                .start();
    }

    private double used() throws IOException {
        FileStore store = Files.getFileStore(mount);
        return 1 - (double) store.getUsableSpace() / store.getTotalSpace();
    }

    /** Blocks until the volume is so full, each a minute colder than the one before. */
    private void fill() throws IOException {
        while (used() < FULL) {
            files.block("m_0123456789ab_r0");
        }
    }

    /** How many there may be at the target; what else lies on the volume takes a few pages. */
    private int blocksAtTarget() throws IOException {
        return (int) (TARGET * Files.getFileStore(mount).getTotalSpace() / BLOCK) - 1;
    }

    /** The coldest went, as many as it takes to come to the target, and a batch more at most. */
    private void assertExactlyTheColdestAreGone() throws IOException {
        List<Path> gone = files.gone();
        assertThat(gone).isNotEmpty();
        assertThat(new HashSet<>(gone)).isEqualTo(new HashSet<>(files.coldest(gone.size())));
        double total = Files.getFileStore(mount).getTotalSpace();
        assertThat(used()).isLessThanOrEqualTo(TARGET).isGreaterThan(TARGET - (BATCH + 1) * BLOCK / total);
    }

    @Test
    void itsLinesAreThoseOfTheEvictorOfOldFromTheStartToTheEndOfDeletion() throws Exception {
        fill();
        Process process = start(Map.of("LOGGER_INTERVAL_SECONDS", "0.5", "DELETION_BATCH_SIZE", "100"));
        List<String> lines = new ArrayList<>();
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
                if (line.contains("DELETION_END")) {
                    process.toHandle().destroy();
                }
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        List<String> said = lines.stream()
                .map(line -> line.replaceFirst(TIME, "TIME").replace(mount.toString(), "/kv-cache"))
                .toList();
        List<String> golden = Files.readAllLines(SharedData.require("golden/volume/log_sample_8_crawlers.txt")).stream()
                .map(line -> line.strip().replaceFirst("^[\\d.]+ ", "").replaceFirst(TIME, "TIME"))
                .toList();
        assertThat(golden).hasSizeGreaterThan(50);
        assertThat(said).containsAll(golden).startsWith(golden.get(0), golden.get(1), golden.get(2));
        String volume = ", used=0\\.0\\dGB, total=0\\.03GB";
        assertThat(said)
                .satisfies(all -> assertInOrder(
                        all,
                        "\\[P9] TIME - activator - WARNING - Activator P9: Usage 8[78]\\.\\d\\d% >= 85\\.0% - Triggering deletion ON",
                        "\\[P9] TIME - activator - INFO - DELETION_START: timestamp=\\d{10}\\.\\d{3}, usage=8[78]\\.\\d\\d%"
                                + volume,
                        "\\[P9] TIME - activator - INFO - Activator P9: Usage (70\\.00|6[89]\\.\\d\\d)% <= 70\\.0% - Triggering deletion OFF",
                        "\\[P9] TIME - activator - INFO - DELETION_END: timestamp=\\d{10}\\.\\d{3}, usage=(70\\.00|6[89]\\.\\d\\d)%"
                                + volume,
                        "\\[P10] TIME - deleter - INFO - deleted \\d+ files in all \\(\\d+ bytes, 0\\.0\\dGB\\) in \\d+\\.\\d s, last used .+ to .+ ago",
                        "\\[P10] TIME - deleter - INFO - Deleter P10 stopping - deleted "
                                + files.gone().size() + " files, .*"));
        assertThat(new HashSet<>(files.gone()))
                .isEqualTo(new HashSet<>(files.coldest(files.gone().size())));
    }

    @Test
    void itSaysItsStatusAsTheEvictorOfOldDoes() throws Exception {
        fill();
        VolumeOptions options = VolumeOptionSources.resolve(
                Optional.empty(), Map.of("METRICS_ADDRESS", ""), Map.of("PVC_MOUNT_PATH", mount.toString()));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        VolumeService service = new VolumeService(
                options,
                new NativeDirectoryCalls(),
                new PrintStream(said, true, StandardCharsets.UTF_8),
                false,
                TimeUnit.MILLISECONDS.toNanos(200));
        Thread serving = Thread.ofPlatform().start(() -> {
            try {
                service.run();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        Pattern atTheTarget = Pattern.compile("""
                TIME - __main__ - INFO - === System Status ===
                Crawlers: 8 active
                  Current deletion queue depth: \\d+
                  Total files discovered: \\d+
                  Total files queued: \\d+
                  Total empty folders queued for cleanup: \\d+
                  Total files skipped \\(hot\\): 0
                  Total stat errors: 0
                (  P[1-8]: discovered=\\d+, queued=\\d+, empty_folders_queued=\\d+, skipped=0, stat_errors=0, queue_size=\\d+
                ){8}Activator P9:
                  PVC Usage: (70\\.0|69\\.\\d)% \\(0\\.02GB / 0\\.03GB\\)
                  Deletion: OFF
                  Thresholds: cleanup=85\\.0%, target=70\\.0%
                Deleter P10:
                  Files deleted: 3\\d\\d
                  Space freed: 0\\.01GB
                Folder Cleaners: 1 active
                  Total empty folders purged: \\d+
                  P11: purged=\\d+
                =====================
                """);
        try {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(
                                    said.toString(StandardCharsets.UTF_8).replaceAll(TIME, "TIME"))
                            .containsPattern(atTheTarget));
        } finally {
            service.stop();
            serving.join();
        }
    }

    private static void assertInOrder(List<? extends String> lines, String... patterns) {
        int at = 0;
        for (String pattern : patterns) {
            Pattern wanted = Pattern.compile(pattern);
            while (at < lines.size() && !wanted.matcher(lines.get(at)).matches()) {
                at++;
            }
            assertThat(at).as("a line %s, in order, in %s", pattern, lines).isLessThan(lines.size());
        }
    }

    /** Killed while it starts, takes its lease, walks, deletes, or rehearses: the next one goes on, and no wrong file goes. */
    @Test
    void afterKillsAtRandomMomentsExactlyTheColdestAreGoneAtTheEnd() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Map<String, String> slow = Map.of("DELETION_RATE_LIMIT", "50", "DIR_CLEANUP_TTL_SECONDS", "0.1");
        for (int life = 0; life < 5; life++) {
            fill();
            int before = files.gone().size();
            boolean rehearses = life == 2;
            Map<String, String> environment = new HashMap<>(slow);
            environment.put("DRY_RUN", Boolean.toString(rehearses));
            Process process = start(environment);
            try (BufferedReader out = process.inputReader()) {
                // some before there is a role, some when deletion has begun
                lineWith(out, random.nextBoolean() ? "PVC Evictor starting" : "DELETION_START");
                TimeUnit.MILLISECONDS.sleep(random.nextInt(1_000));
            } finally {
                process.destroyForcibly().waitFor();
            }
            int after = files.gone().size();
            assertThat(files.coldest(files.count() - blocksAtTarget() + BATCH))
                    .as("seed %d, life %d", seed, life)
                    .containsAll(files.gone());
            if (rehearses) {
                assertThat(after).as("a rehearsal removes nothing").isEqualTo(before);
            }
        }
        fill();
        Process last = start(Map.of());
        try (BufferedReader out = last.inputReader()) {
            lineWith(out, "DELETION_END");
        } finally {
            last.destroyForcibly().waitFor();
        }
        assertExactlyTheColdestAreGone();
    }

    /**
     * Mounted read-only under a sweeper that deletes, and writable again: what was refused meanwhile stays first in line.
     */
    @Test
    void aVolumeThatTurnsReadOnlyWhileItIsSweptLosesExactlyTheColdestAllTheSame() throws Exception {
        fill();
        Process process = start(Map.of("DELETION_RATE_LIMIT", "100"));
        try (BufferedReader out = process.inputReader();
                HttpClient client = HttpClient.newHttpClient()) {
            String address = lineWith(out, "Health and metrics at").replaceAll(".* at ", "");
            lineWith(out, "DELETION_START");
            Awaitility.await().until(() -> !files.gone().isEmpty());
            Awaitility.await() // while somebody writes, the kernel refuses
                    .until(() -> ran("mount", "-o", "remount,ro", mount.toString()));
            int gone = files.gone().size();
            assertThat(lineWith(out, "EROFS")).contains("WARNING", "the volume refuses removals: EROFS");
            assertThat(VolumeProcessTest.get(client, address + "/readyz"))
                    .contains("the volume refuses removals: EROFS");
            assertThat(files.gone()).hasSize(gone);
            assertThat(used()).as("it was in the middle of it").isGreaterThan(TARGET);
            assertThat(ran("mount", "-o", "remount,rw", mount.toString())).isTrue();
            lineWith(out, "removals work again");
            lineWith(out, "DELETION_END");
            assertThat(metric(client, address, "tidemark_volume_skipped_total{reason=\"EROFS\"} "))
                    .isPositive();
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertExactlyTheColdestAreGone();
    }

    /** The level decides what is said, on stdout and in the file; what cannot be bound stops nothing. */
    @Test
    void anEndpointThatCannotBeBoundStopsNothingAndLevelAndFileOfTheLogAreThoseOfTheConfiguration(@TempDir Path logs)
            throws Exception {
        fill();
        Path file = logs.resolve("evictor.log");
        Process process = start(Map.of(
                "STORAGE_EVENTS_ENDPOINT",
                "tcp://192.0.2.1:5557",
                "LOG_LEVEL",
                "WARNING",
                "LOG_FILE_PATH",
                file.toString()));
        StringBuilder said = new StringBuilder();
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                said.append(line).append('\n');
                if (line.contains("Triggering deletion ON")) {
                    awaitTarget();
                    process.toHandle().destroy();
                }
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(said)
                .contains("WARNING - no delete events: cannot bind tcp://192.0.2.1:5557")
                .doesNotContain(" - INFO - ");
        assertThat(Files.readString(file, StandardCharsets.UTF_8)).isEqualTo(said.toString());
        assertExactlyTheColdestAreGone();
    }

    private void awaitTarget() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (used() > TARGET && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static final Map<String, String> MODELS =
            Map.of("m_0123456789ab_r0", "org/m", "m_0123456789ab_r1", "org/m", "p_0123456789ab_r0", "plain");

    @Test
    void aSubscriberIsToldOfEachBlockThatIsGoneUnderItsModel() throws Exception {
        files.model("p_0123456789ab", "plain");
        int port = PythonSubscriber.freePort();
        Map<String, String> environment =
                Map.of("STORAGE_EVENTS_ENDPOINT", "tcp://127.0.0.1:" + port, "TARGET_THRESHOLD", "80");
        fillWithModels(0.82);
        try (PythonSubscriber subscriber = PythonSubscriber.of("tcp://127.0.0.1:" + port, "kv@")) {
            Process process = start(environment);
            try (BufferedReader out = process.inputReader();
                    HttpClient client = HttpClient.newHttpClient()) {
                String address = lineWith(out, "Health and metrics at").replaceAll(".* at ", "");
                assertThat(told(client, address)).as("nothing is gone").isZero();
                while (!subscriber.lines.ready()) { // what goes before a subscription has arrived is lost
                    fillWithModels(0.86);
                    lineWith(out, "DELETION_END");
                    awaitTold(client, address);
                }
                List<Path> before = files.gone();
                fillWithModels(0.86);
                lineWith(out, "DELETION_END");
                awaitTold(client, address);
                List<Path> since = new ArrayList<>(files.gone());
                since.removeAll(before);
                assertThat(received(subscriber, hashes(since))).isSubsetOf(hashes(files.gone()));
                String metrics = VolumeProcessTest.get(client, address + "/metrics");
                for (String model : List.of("org/m", "plain")) {
                    assertThat(metrics)
                            .contains(
                                    "tidemark_volume_removed_files_total{model=\"" + model + "\",reason=\"capacity\"} "
                                            + hashes(files.gone()).stream()
                                                    .filter(told -> told.startsWith(model + " "))
                                                    .count());
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }

    /** Every fourth block is of a rank directory whose model nobody knows. */
    private void fillWithModels(double share) throws IOException {
        List<String> ranks =
                List.of("m_0123456789ab_r0", "m_0123456789ab_r1", "p_0123456789ab_r0", "nameless_0123456789ab_r0");
        for (int i = 0; used() < share; i++) {
            files.block(ranks.get(i % ranks.size()));
        }
    }

    /** Model and last sixteen digits of each of them whose model is known. */
    private Set<String> hashes(List<Path> blocks) {
        Set<String> hashes = new HashSet<>();
        for (Path block : blocks) {
            String model = MODELS.get(block.getName(block.getNameCount() - 4).toString());
            if (model != null) {
                hashes.add(model + " " + block.getFileName().toString().replaceAll(".*(.{16})\\.bin", "$1"));
            }
        }
        return hashes;
    }

    /** Reads messages until all of these have come, each once, with numbers without a gap; what came. */
    private static Set<String> received(PythonSubscriber subscriber, Set<String> wanted) throws IOException {
        Set<String> received = new HashSet<>();
        long number = 0;
        while (!received.containsAll(wanted)) {
            String[] words = subscriber.lines.readLine().split(" ", -1);
            assertThat(words[0]).startsWith("kv@SHARED_STORAGE@");
            assertThat(words).contains("BlockRemoved", "SHARED_STORAGE");
            assertThat(number == 0 || Long.parseLong(words[1]) == number + 1)
                    .as("numbers rise by one")
                    .isTrue();
            number = Long.parseLong(words[1]);
            for (String hash : List.of(words).subList(4, words.length)) {
                assertThat(received.add(words[0].replace("kv@SHARED_STORAGE@", "") + " " + hash))
                        .as("told once")
                        .isTrue();
            }
        }
        return received;
    }

    /** Waits until the last batch is told too. */
    private void awaitTold(HttpClient client, String address) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(told(client, address))
                        .isEqualTo(hashes(files.gone()).size()));
    }

    private static long told(HttpClient client, String address) throws Exception {
        return metric(client, address, "tidemark_volume_events_sent_total ");
    }

    /** The value behind this name and these labels; 0 where it is not shown. */
    private static long metric(HttpClient client, String address, String name) throws Exception {
        return VolumeProcessTest.get(client, address + "/metrics")
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".* ", "")))
                .sum();
    }

    @Test
    void aRehearsalTellsNobody() throws Exception {
        fill();
        int port = PythonSubscriber.freePort();
        Process process = start(Map.of("STORAGE_EVENTS_ENDPOINT", "tcp://127.0.0.1:" + port, "DRY_RUN", "true"));
        try (BufferedReader out = process.inputReader()) {
            assertThat(lineWith(out, "DELETION_END")).contains("(DRY RUN: usage would be ");
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                    .as("nobody to subscribe to")
                    .isInstanceOf(ConnectException.class);
            assertThat(files.gone()).isEmpty();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
