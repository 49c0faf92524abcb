package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.server.replay.Reply;
import io.tidemark.server.replay.RespConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server process over SSD: any keys, a kill, and what its files take meanwhile. */
@Timeout(180)
class SsdFromOutsideTest {
    private static final int KEY_BYTES_MAX = 65_536;
    private static final long SSD_BYTES = 64L << 20;
    private static final long SLACK_BYTES = 8L << 20;
    private static final int PIPELINE = 64;

    @TempDir
    private Path folder;

    private SsdServer start() throws IOException {
        return SsdServer.start(folder.resolve("state"), "64Mi");
    }

    private static List<byte[]> keys() {
        List<byte[]> keys = new ArrayList<>();
        for (String odd : List.of(
                "a/b",
                "a%2Fb",
                "a%2fb",
                "a\\b",
                "..",
                "../../a",
                "/etc/a",
                ".a",
                "a",
                "a ",
                " a",
                "a\n",
                "a\r\n",
                "a\0",
                "\0",
                "a@b",
                "a-SEP-b",
                "\u00e9",
                "e\u0301",
                "\ud83d\ude00")) {
            keys.add(odd.getBytes(StandardCharsets.UTF_8));
        }
        keys.add(new byte[] {(byte) 0xff, (byte) 0xfe});
        keys.add(new byte[] {(byte) 0xff});
        for (int length : new int[] {200, 255, 256, 1_000, 4_096, KEY_BYTES_MAX - 1, KEY_BYTES_MAX}) {
            keys.add("k".repeat(length).getBytes(StandardCharsets.US_ASCII));
        }
        keys.add("\ud83d\ude00".repeat(KEY_BYTES_MAX / 4).getBytes(StandardCharsets.UTF_8));
        byte[] last = "k".repeat(KEY_BYTES_MAX).getBytes(StandardCharsets.US_ASCII);
        last[KEY_BYTES_MAX - 1] = 0;
        keys.add(last);
        return keys;
    }

    private static String value(int key) {
        return "value " + key + " ";
    }

    private static Reply call(RespConnection client, String command, byte[] key, String... more) throws IOException {
        client.command(2 + more.length);
        client.argument(command.getBytes(StandardCharsets.US_ASCII));
        client.argument(key);
        for (String argument : more) {
            client.argument(argument.getBytes(StandardCharsets.UTF_8));
        }
        client.flush();
        return client.read();
    }

    private static boolean isOnSsdOnly(SsdServer server, byte[] key) throws IOException {
        String where = call(server.client, "TM.WHERE", key).toString();
        return where.contains("ssd0") && !where.contains("dram");
    }

    @Test
    void g74_g75_keysOfAnyBytesUpToTheGreatestLengthAreServedFromSsdAfterAKill() throws Exception {
        List<byte[]> keys = keys();
        try (SsdServer server = start()) {
            for (int key = 0; key < keys.size(); key++) {
                assertThat(call(server.client, "SET", keys.get(key), value(key)))
                        .isEqualTo(SsdServer.OK);
            }
            for (byte[] key : keys) {
                call(server.client, "TM.EVICT", key);
            }
            for (byte[] key : keys) {
                await().until(() -> isOnSsdOnly(server, key));
            }
            server.process.kill();
        }
        try (SsdServer server = start()) {
            assertThat(server.client.call("DBSIZE")).isEqualTo(new Reply.Int(keys.size()));
            for (int key = 0; key < keys.size(); key++) {
                assertThat(isOnSsdOnly(server, keys.get(key))).isTrue();
                assertThat(call(server.client, "GET", keys.get(key)))
                        .as("key %d of %d bytes", key, keys.get(key).length)
                        .isEqualTo(new Reply.Bulk(value(key)));
            }
            byte[] other = Arrays.copyOf(keys.getLast(), KEY_BYTES_MAX - 2);
            assertThat(call(server.client, "EXISTS", other)).isEqualTo(new Reply.Int(0));
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).as("nothing outside").containsExactly(folder.resolve("state"));
        }
    }

    @Test
    void g54_whatTheStateDirectoryTakesStaysWithinTheBoundWhileBlocksComeAndCheckpointsAreWritten() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        try (SsdServer server = start()) {
            CompletableFuture<Void> traffic = CompletableFuture.runAsync(() -> overwrite(server, done));
            List<Long> occupied = new ArrayList<>();
            await().atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> {
                        occupied.add(occupiedBytes());
                        assertThat(traffic).isNotDone();
                        return occupied.size() >= 50 && checkpoints(server) >= 3;
                    });
            done.set(true);
            traffic.get();
            assertThat(occupied).allMatch(bytes -> bytes <= SSD_BYTES + SLACK_BYTES);
            assertThat(occupied.getLast()).as("it is there from the start").isGreaterThan(SSD_BYTES / 2);
        }
    }

    private static void overwrite(SsdServer server, AtomicBoolean done) {
        Random random = new Random(54);
        String value = "v".repeat(4_096);
        try (RespConnection client = server.connect()) {
            while (!done.get()) {
                for (int i = 0; i < PIPELINE; i++) {
                    client.command(3);
                    client.argument("SET".getBytes(StandardCharsets.US_ASCII));
                    client.argument(("small-" + random.nextInt(30_000)).getBytes(StandardCharsets.US_ASCII));
                    client.argument(value.getBytes(StandardCharsets.US_ASCII));
                }
                client.flush();
                for (int i = 0; i < PIPELINE; i++) {
                    client.read();
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static double checkpoints(SsdServer server) throws Exception {
        return server.page("/metrics")
                .lines()
                .filter(line -> line.startsWith("tidemark_checkpoints_total{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private long occupiedBytes() throws IOException {
        Process du = new ProcessBuilder("du", "-s", "--block-size=1", folder.toString()).start();
        try (BufferedReader out = du.inputReader()) {
            return Long.parseLong(out.readLine().split("\t", -1)[0]);
        }
    }
}
