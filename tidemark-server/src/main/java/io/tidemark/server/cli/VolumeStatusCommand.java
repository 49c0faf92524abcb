package io.tidemark.server.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
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
            defaultValue = "${env:METRICS_ADDRESS:-127.0.0.1:9466}",
            description = "Its METRICS_ADDRESS. Default: that variable, else 127.0.0.1:9466.")
    private String address = "";

    @Override
    public Integer call() throws InterruptedException {
        JsonNode status = status(uri());
        if (output.json()) {
            output.object(status);
        } else {
            VolumeStatusText.lines(status).forEach(output::text);
        }
        return 0;
    }

    private URI uri() {
        try {
            URI uri = URI.create("http://" + address + "/api/v1/volume");
            if (uri.getHost() != null && uri.getPort() > 0) {
                return uri;
            }
        } catch (IllegalArgumentException _) {
            // told below
        }
        throw output.notUnderstood("--address='" + address + "' (or METRICS_ADDRESS): expected HOST:PORT");
    }

    private JsonNode status(URI uri) throws InterruptedException {
        try (HttpClient client =
                HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
            JsonNode status = JsonMapper.builder().build().readTree(answer.body());
            if (answer.statusCode() == 200 && status.has("deleting")) {
                return status;
            }
        } catch (ConnectException _) {
            throw new CommandFailed("nothing listens at " + address
                    + ": is tidemark volume running, and is that its METRICS_ADDRESS? (--address HOST:PORT)");
        } catch (IOException e) {
            throw new CommandFailed("no volume evictor answers at " + address + ": " + e.getMessage(), e);
        } catch (JacksonException _) {
            // told below
        }
        throw new CommandFailed("what answers at " + address + " is no volume evictor (--address HOST:PORT)");
    }
}
