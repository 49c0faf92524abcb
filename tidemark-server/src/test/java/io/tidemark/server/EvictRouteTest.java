package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.config.TidemarkConfig;
import io.tidemark.server.http.Json;
import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.RespConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evictions by hand over HTTP name blocks and places as the Redis protocol does. */
class EvictRouteTest {
    private static final String PAIR = "model@1@0@abcd@bfloat16";
    private static final long ANSWER_MILLIS = 10_000;

    @TempDir
    private Path state;

    @Test
    void eitherKeyOfAPairNamesTheBlockAndUnknownPlacesAreRefused() throws Exception {
        try (TidemarkServer server = TidemarkServer.start(config(), "test", () -> false);
                HttpClient http = HttpClient.newHttpClient();
                RespConnection redis = RespConnection.open(
                        new Endpoint.Unix(Path.of(server.endpoints().sockets().getFirst())), 1024, ANSWER_MILLIS)) {
            URI uri = URI.create(server.endpoints().http() + "/api/v1/evict");
            redis.call("SET", PAIR + "kv_bytes", "value");
            redis.call("SET", PAIR + "metadata", "about it");

            assertThat(evict(http, uri, Map.of("key", PAIR + "metadata", "tier", "drum")))
                    .isEqualTo("400 {\"error\":\"no tier 'drum'; expected one of dram\"}");
            assertThat(evict(http, uri, Map.of("key", PAIR + "metadata", "backend", "ssd0")))
                    .contains("no backend 'ssd0'; expected one of dram0");
            assertThat(evict(http, uri, Map.of("key_hex", "6")))
                    .isEqualTo("400 {\"error\":\"'6' is no key in hex digits; expected two for each byte\"}");
            assertThat(evict(http, uri, Map.of("key", PAIR + "metadata", "teir", "ssd")))
                    .isEqualTo("400 {\"error\":\"unknown field 'teir'; expected key or key_hex, tier, backend\"}");
            assertThat(evict(http, uri.resolve("/evict"), Map.of("key", "k")))
                    .contains("404", "/api/v1/evict, /api/v1/status, /livez, /metrics, /readyz");
            assertThat(evict(http, uri, Map.of("key", PAIR + "metadata", "tier", " DRAM")))
                    .contains("200")
                    .contains("FREED");
            assertThat(evict(http, uri, Map.of("key", PAIR + "kv_bytes")))
                    .contains("NONE")
                    .contains("\"reason\":\"missing");
            redis.call("SET", "looked-up", "value");
            redis.call("EXISTS", "looked-up");
            assertThat(evict(http, uri, Map.of("key", "looked-up")))
                    .contains("NONE")
                    .contains("\"reason\":\"leased");
        }
    }

    private static String evict(HttpClient http, URI uri, Map<String, String> request) throws Exception {
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(uri)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(Json.write(request)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body().strip();
    }

    private TidemarkConfig config() throws Exception {
        Map<String, Given> flags = new HashMap<>();
        Map.of("state-dir", state.toString(), "dram.capacity", "16Mi", "redis.port", "0", "http.port", "0")
                .forEach((key, text) -> flags.put(key, new Given(text, new Origin.Flag(key))));
        return Effective.resolve(Optional.empty(), Map.of(), flags).config();
    }
}
