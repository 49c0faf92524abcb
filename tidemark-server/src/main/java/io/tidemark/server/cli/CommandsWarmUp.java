package io.tidemark.server.cli;

import io.tidemark.server.Endpoints;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** What commands other than {@code serve} do: they ask a server over HTTP. Done for the sake of the classes that takes. */
final class CommandsWarmUp {
    private CommandsWarmUp() {}

    static void ask(Endpoints server) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (String path : List.of("/readyz", "/metrics", "/api/v1/status")) {
                client.send(
                        HttpRequest.newBuilder(URI.create(server.http() + path)).build(),
                        HttpResponse.BodyHandlers.ofString());
            }
        }
    }
}
