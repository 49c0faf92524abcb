package io.tidemark.server.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code tidemark volume status}: what a running evictor is doing. */
@Command(name = "status", description = "Shows what a running volume evictor is doing.")
final class VolumeStatusCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Mixin
    private Output output;

    @Option(
            names = "--address",
            paramLabel = "HOST:PORT",
            description = "Its METRICS_ADDRESS. Default: 127.0.0.1:9466.")
    private String address = "127.0.0.1:9466";

    @Override
    public Integer call() throws InterruptedException {
        JsonNode status;
        try (HttpClient client =
                HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            URI uri = URI.create("http://" + address + "/api/v1/volume");
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
            status = JsonMapper.builder().build().readTree(answer.body());
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailed("no volume evictor answers at " + address + ": " + e);
        }
        if (output.json()) {
            output.object(status);
        } else {
            status.properties().forEach(field -> output.text(field.getKey() + ": " + field.getValue()));
        }
        return 0;
    }
}
