package io.tidemark.server.cli;

import io.tidemark.server.Endpoints;
import io.tidemark.server.TidemarkServer;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.RespConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code tidemark warm-up}: starts a server, or a volume evictor, in a temporary folder, lets it work a little and stops
 * it, so that the start script can have the JVM write down the classes that a start loads.
 */
@Command(name = "warm-up", hidden = true, description = "Starts, uses and stops a server, or an evictor, once.")
final class WarmUpCommand implements Callable<Integer> {
    private static final long TIMEOUT_MILLIS = 10_000;

    /** Each takes a page. */
    private static final int BLOCKS = 24_000;

    /** Starts on the blocks of the first one; enough for the JVM to learn which code a start is busy with. */
    private static final int STARTS = 4;

    @Mixin
    private Output output;

    @Option(names = "--volume", description = "The volume evictor instead of the server.")
    private boolean volume;

    @Override
    public Integer call() throws Exception {
        Path folder = Files.createTempDirectory("tidemark-warm-up");
        try {
            if (volume) {
                VolumeWarmUp.run(folder);
            } else {
                serve(folder);
            }
            output.note("warm-up done");
        } finally {
            delete(folder);
        }
        return 0;
    }

    private static void serve(Path folder) throws Exception {
        try (TidemarkServer server = start(folder)) {
            use(server.endpoints());
            fill(server.endpoints());
        }
        for (int i = 0; i < STARTS; i++) {
            start(folder).close();
        }
    }

    private static TidemarkServer start(Path folder) throws Exception {
        return TidemarkServer.start(effective(folder).config(), VersionCommand.version(), () -> false);
    }

    /** Stores more than the memory holds, so that the next starts find blocks on SSD. */
    private static void fill(Endpoints endpoints) throws IOException {
        Endpoint socket = new Endpoint.Unix(Path.of(endpoints.sockets().getFirst()));
        try (RespConnection connection = RespConnection.open(socket, 1024, TIMEOUT_MILLIS)) {
            for (int block = 0; block < BLOCKS; block++) {
                connection.call("SET", "block-" + block, "value");
            }
        }
    }

    private static Effective effective(Path folder) throws Exception {
        Origin origin = new Origin.Flag("warm-up");
        return Effective.resolve(
                Optional.empty(),
                Map.of(),
                Map.of(
                        "state-dir", new Given(folder.resolve("state").toString(), origin),
                        "dram.capacity", new Given("16Mi", origin),
                        "ssd.capacity", new Given("128Mi", origin),
                        "redis.port", new Given("0", origin),
                        "http.port", new Given("0", origin)));
    }

    private static void use(Endpoints endpoints) throws IOException, InterruptedException {
        Endpoint socket = new Endpoint.Unix(Path.of(endpoints.sockets().getFirst()));
        try (RespConnection connection = RespConnection.open(socket, 1024, TIMEOUT_MILLIS);
                HttpClient client = HttpClient.newHttpClient()) {
            connection.call("PING");
            connection.call("SET", "key", "value");
            connection.call("EXISTS", "key");
            connection.call("GET", "key");
            connection.call("INFO");
            for (String path : List.of("/readyz", "/metrics", "/api/v1/status")) {
                client.send(
                        HttpRequest.newBuilder(URI.create(endpoints.http() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
