package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.pool.BackendStatus;
import io.tidemark.server.http.Json;
import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.Reply;
import io.tidemark.server.replay.RespConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real server processes with a graph of tiers: 16 MiB of memory over two SSD directories, three keys to one. */
@Timeout(120)
class TierGraphProcessTest {
    private static final int BLOCKS = 640;
    private static final int BLOCK_BYTES = 64 << 10;
    private static final long ANSWER_MILLIS = 10_000;
    private static final long POLL_MILLIS = 2;
    private static final int AT_ONCE = 4;

    @TempDir
    private Path folder;

    @Test
    void blocksLandInBothDirectoriesOfAGraphInYamlByTheirWeights() throws Exception {
        Path config = Files.writeString(folder.resolve("tidemark.yaml"), """
                tiers:
                  - name: memory
                    backends: [{name: ram, type: dram, capacity: 16Mi}]
                    offload-to: [disks]
                    high-mark: 0.9
                    low-mark: 0.88
                  - name: disks
                    backends:
                      - {name: left, type: ssd, directory: %1$s/left, capacity: 64Mi, weight: 3}
                      - {name: right, type: ssd, directory: %1$s/right, capacity: 64Mi}
                    promote: copy
                """.formatted(folder));

        try (ServeProcess server = serve("--config", config.toString())) {
            assertLandsInBoth(server);
        }
    }

    @Test
    void blocksLandInBothDirectoriesOfAUmbpPolicy() throws Exception {
        Path policy = Files.writeString(folder.resolve("policy.json"), """
                {"backends": {
                   "ram": {"type": "dram", "capacity": "16MiB"},
                   "left": {"type": "ssd", "capacity": "64MiB", "path": "%1$s/left"},
                   "right": {"type": "ssd", "capacity": "64MiB", "path": "%1$s/right"}},
                 "tiers": [
                   {"name": "memory", "backends": {"ram": 1}, "offload_to": ["disks"], "offload_trigger": "watermark",
                    "high_watermark": 0.9, "low_watermark": 0.88},
                   {"name": "disks", "backends": {"left": 30, "right": 10}, "promote_on_read": true}]}
                """.formatted(folder));

        try (ServeProcess server = serve("--umbp-policy", policy.toString())) {
            assertLandsInBoth(server);
        }
    }

    private ServeProcess serve(String... flags) throws IOException {
        return ServeProcess.startPlain(folder.resolve("state"), flags);
    }

    private void assertLandsInBoth(ServeProcess server) throws Exception {
        Endpoints where = server.awaitReady();
        Endpoint socket = new Endpoint.Unix(Path.of(where.sockets().getFirst()));
        try (HttpClient http = HttpClient.newHttpClient();
                RespConnection client = RespConnection.open(socket, BLOCK_BYTES, ANSWER_MILLIS)) {
            for (int block = 0; block < BLOCKS; block++) {
                client.call("SET", "block-" + block, value(block));
                if (block % AT_ONCE == 0) {
                    awaitMoved(http, where);
                }
            }
            awaitMoved(http, where);
            Map<String, Integer> places = places(client);
            int right = places.getOrDefault("right", 0);
            assertThat(right).isPositive();
            assertThat(places.getOrDefault("left", 0)).isGreaterThan(2 * right);
            for (int block = 0; block < BLOCKS; block++) {
                assertThat(client.call("GET", "block-" + block)).isEqualTo(new Reply.Bulk(value(block)));
            }
        }
        assertThat(folder.resolve("left")).isNotEmptyDirectory();
        assertThat(folder.resolve("right")).isNotEmptyDirectory();
    }

    /** A busy device spills to the other one; weights are seen where none is. */
    private static void awaitMoved(HttpClient http, Endpoints where) throws Exception {
        while (leavingBytes(http, where) > 0) {
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static long leavingBytes(HttpClient http, Endpoints where) throws Exception {
        String body = http.send(
                        HttpRequest.newBuilder(URI.create(where.http() + "/api/v1/status"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        return Json.read(body, ServerStatus.class).pool().backends().stream()
                .mapToLong(BackendStatus::leavingBytes)
                .sum();
    }

    private static Map<String, Integer> places(RespConnection client) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        for (int block = 0; block < BLOCKS; block++) {
            String where = client.call("TM.WHERE", "block-" + block).toString();
            for (String backend : new String[] {"ram", "left", "right"}) {
                if (where.contains(backend)) {
                    counts.merge(backend, 1, Integer::sum);
                }
            }
        }
        return counts;
    }

    private static String value(int block) {
        return "%08d".formatted(block).repeat(BLOCK_BYTES / 8);
    }
}
