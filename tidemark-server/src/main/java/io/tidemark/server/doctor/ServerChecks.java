package io.tidemark.server.doctor;

import io.tidemark.server.Endpoints;
import io.tidemark.server.StateDir;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks a server that runs how it is. */
final class ServerChecks {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int OK = 200;

    private ServerChecks() {}

    /** One finding of the whole, and one of each thing that it goes on without. */
    static List<Finding> of(Path stateDir) {
        return StateDir.find(stateDir).map(ServerChecks::ask).orElseGet(() -> List.of(none(stateDir)));
    }

    private static Finding none(Path stateDir) {
        return StateDir.hidden(stateDir)
                .map(why -> Finding.fail(
                        "server",
                        "whether one runs is not to be seen in " + stateDir + ": " + why,
                        "run this as the user of the server"))
                .orElse(Finding.ok("server", "none runs with this state directory"));
    }

    private static List<Finding> ask(Endpoints server) {
        String who = "process " + server.pid() + ", " + server.http();
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create(server.http() + "/readyz"))
                            .timeout(TIMEOUT)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return judged(who, response.statusCode(), response.body());
        } catch (IOException e) {
            return List.of(Finding.fail(
                    "server",
                    who + " does not answer (" + e.getMessage() + ")",
                    "kill -9 it and start it again; it is built for that"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of(Finding.warn("server", who + ": not asked, interrupted", "run it again"));
        }
    }

    /** The first line of the answer is the state of the whole, each further one something that it goes on without. */
    static List<Finding> judged(String who, int status, String answer) {
        List<String> lines = answer.strip().lines().toList();
        String state = who + ": " + (lines.isEmpty() ? "no word" : lines.getFirst());
        List<Finding> findings = new ArrayList<>();
        findings.add(
                status == OK
                        ? Finding.ok("server", state)
                        : Finding.fail("server", state, "it does not serve; see its log"));
        lines.stream()
                .skip(1)
                .forEach(loss -> findings.add(Finding.warn(
                        "server",
                        loss,
                        "it serves on without; put right what is named there, its log says since when and when it is"
                                + " well again")));
        return findings;
    }
}
