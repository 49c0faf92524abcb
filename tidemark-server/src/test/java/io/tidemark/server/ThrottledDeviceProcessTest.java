package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.Reply;
import io.tidemark.server.replay.RespConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole server over two SSD directories, one of which the kernel makes as good as stand still. */
@Timeout(180)
class ThrottledDeviceProcessTest {
    private static final int BLOCK_BYTES = 64 << 10;
    private static final int BLOCKS = 400;
    private static final long ANSWER_MILLIS = 30_000;
    private static final long CRAWL_BYTES_PER_SECOND = 1_024;

    private static final int BIG_BYTES = 16 << 20;
    private static final long SLOW_BYTES_PER_SECOND = 4L << 20;
    private static final int READERS = 8;

    @TempDir
    private Path folder;

    private static String value(int block) {
        return "%08d".formatted(block).repeat(BLOCK_BYTES / 8);
    }

    private static Reply set(RespConnection client, int block) throws IOException {
        return client.call("SET", "block-" + block, value(block));
    }

    private static List<Integer> on(RespConnection client, String backend, int end) throws IOException {
        List<Integer> found = new ArrayList<>();
        for (int block = 0; block < end; block++) {
            if (client.call("TM.WHERE", "block-" + block).toString().contains(backend)) {
                found.add(block);
            }
        }
        return found;
    }

    private static String ready(Endpoints where) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create(where.http() + "/readyz"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    /** A server of the slow device's group, with blocks there and in these directories. */
    private ServeProcess start(ThrottledDevice slow, String dram, Path... others) throws IOException {
        List<String> flags = new ArrayList<>(List.of(
                "--dram",
                dram,
                "--ssd=128Mi",
                "--ssd-dir=" + slow.directory(),
                "--ssd-promote=none",
                "--redis-port=0",
                "--http-port=0"));
        for (Path other : others) {
            flags.add("--ssd-dir=" + other);
        }
        return ServeProcess.start(slow.wrapper(), folder.resolve("state"), flags.toArray(String[]::new));
    }

    @Test
    void g68_aDeviceThatCrawlsIsNamedAndHoldsUpNeitherPutsNorMemoryNorTheOtherDevice() throws Exception {
        try (ThrottledDevice slow = ThrottledDevice.orSkip(folder, 128L << 20);
                ServeProcess server = start(slow, "16Mi", folder.resolve("fast"))) {
            Endpoints where = server.awaitReady();
            Endpoint socket = new Endpoint.Unix(Path.of(where.sockets().getFirst()));
            try (RespConnection client = RespConnection.open(socket, BLOCK_BYTES, ANSWER_MILLIS)) {
                fill(client);
                List<Integer> fast = on(client, "ssd1", BLOCKS);
                assertThat(on(client, "ssd0", BLOCKS)).isNotEmpty();
                slow.limit(CRAWL_BYTES_PER_SECOND);
                assertOthersGoOn(client, fast);
                await().atMost(Duration.ofSeconds(60)).until(() -> {
                    assertThat(set(client, BLOCKS)).isEqualTo(new Reply.Status("OK"));
                    evictAll(client);
                    return ready(where).contains("ssd0");
                });
                assertOthersGoOn(client, fast);
            } finally {
                slow.limit(0);
                server.kill();
            }
        }
    }

    /** A value that takes seconds to reach the device is read from memory meanwhile, each time whole, and from the device then. */
    @Test
    void g52_aValueOnItsWayToACrawlingDeviceIsReadWholeByAllFromTheFirstMillisecond() throws Exception {
        String value =
                IntStream.range(0, BIG_BYTES / 8).mapToObj("%08d"::formatted).collect(Collectors.joining());
        try (ThrottledDevice slow = ThrottledDevice.orSkip(folder, 128L << 20);
                ExecutorService readers = Executors.newFixedThreadPool(READERS);
                ServeProcess server = start(slow, "64Mi")) {
            Endpoint socket =
                    new Endpoint.Unix(Path.of(server.awaitReady().sockets().getFirst()));
            try (RespConnection client = RespConnection.open(socket, BIG_BYTES, ANSWER_MILLIS)) {
                slow.limit(SLOW_BYTES_PER_SECOND);
                assertThat(client.call("SET", "big", value)).isEqualTo(new Reply.Status("OK"));
                // Before anybody reads it: what is pinned does not begin to move.
                assertThat(client.call("TM.EVICT", "big").toString()).contains("DEMOTION_QUEUED");
                assertThat(client.call("TM.EVICT", "big").toString()).contains("IN_FLIGHT");
                List<Future<Integer>> reads = new ArrayList<>();
                for (int reader = 0; reader < READERS; reader++) {
                    reads.add(readers.submit(() -> readUntilBelow(socket, value)));
                }
                await().atMost(Duration.ofSeconds(60)).until(() -> isBelow(client));
                slow.limit(0);
                for (Future<Integer> read : reads) {
                    assertThat(read.get())
                            .as("reads of one reader while it moved")
                            .isPositive();
                }
            } finally {
                slow.limit(0);
                server.kill();
            }
        }
    }

    /** Reads the value until the device alone holds it, and then once more; answers how often it was there before. */
    private static int readUntilBelow(Endpoint socket, String value) throws IOException {
        try (RespConnection client = RespConnection.open(socket, BIG_BYTES, ANSWER_MILLIS)) {
            for (int reads = 0; ; reads++) {
                boolean below = isBelow(client);
                assertThat(client.call("GET", "big").equals(new Reply.Bulk(value)))
                        .as("read %s, %s", reads, below ? "from the device" : "from memory")
                        .isTrue();
                if (below) {
                    return reads;
                }
            }
        }
    }

    private static boolean isBelow(RespConnection client) throws IOException {
        String where = client.call("TM.WHERE", "big").toString();
        return !where.contains("dram0") && where.contains("ssd0");
    }

    /** Stores twice what the memory holds, and waits until it went down. */
    private static void fill(RespConnection client) throws IOException {
        for (int block = 0; block < BLOCKS; block++) {
            assertThat(set(client, block)).isEqualTo(new Reply.Status("OK"));
        }
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !client.call("TM.STATUS").toString().contains("moving")
                        && on(client, "ssd1", BLOCKS).size() > BLOCKS / 8);
    }

    private static void evictAll(RespConnection client) throws IOException {
        for (int block = BLOCKS; block < BLOCKS + 50; block++) {
            assertThat(set(client, block)).isEqualTo(new Reply.Status("OK"));
            client.call("TM.EVICT", "block-" + block);
        }
    }

    /** Each answer comes well before the device could have taken or given a single block, which takes a minute. */
    private static void assertOthersGoOn(RespConnection client, List<Integer> fast) throws IOException {
        long began = System.nanoTime();
        for (int block = BLOCKS + 50; block < BLOCKS + 100; block++) {
            assertThat(set(client, block)).isEqualTo(new Reply.Status("OK"));
            assertThat(client.call("GET", "block-" + block)).isEqualTo(new Reply.Bulk(value(block)));
        }
        for (int block : fast) {
            assertThat(client.call("GET", "block-" + block)).isEqualTo(new Reply.Bulk(value(block)));
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
    }
}
