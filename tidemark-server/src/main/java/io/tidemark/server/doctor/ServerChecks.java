package io.tidemark.server.doctor;

import io.tidemark.server.Endpoints;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** Asks a server that runs how it is. */
final class ServerChecks {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int OK = 200;

    private ServerChecks() {}

    static Finding of(Optional<Endpoints> running) {
        return running.map(ServerChecks::ask)
                .orElseGet(() -> Finding.ok("server", "none runs with this state directory"));
    }

    private static Finding ask(Endpoints server) {
        String who = "process " + server.pid() + ", " + server.http();
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create(server.http() + "/readyz"))
                            .timeout(TIMEOUT)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            String body = response.body().strip();
            return response.statusCode() == OK
                    ? Finding.ok("server", who + ": " + body)
                    : Finding.fail("server", who + ": " + body, "it does not serve; see its log");
        } catch (IOException e) {
            return Finding.fail(
                    "server",
                    who + " does not answer (" + e.getMessage() + ")",
                    "kill -9 it and start it again; it is built for that");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Finding.warn("server", who + ": not asked, interrupted", "run it again");
        }
    }
}
