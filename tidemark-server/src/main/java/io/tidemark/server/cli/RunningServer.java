package io.tidemark.server.cli;

import io.tidemark.server.Endpoints;
import io.tidemark.server.StateDir;
import io.tidemark.server.config.StatePath;
import io.tidemark.server.http.Json;
import io.tidemark.server.machine.FileTrouble;
import io.tidemark.server.machine.PathText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;

/** Options that say which running server is meant, and the calls to its admin port. */
final class RunningServer {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int NOT_UNDERSTOOD = 400;
    private static final int NOT_ADMITTED = 401;
    private static final int NOT_THERE = 404;
    private static final int PORT_MAX = 65_535;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--state-dir",
            paramLabel = "PATH",
            description = "State directory of the server. Default: TIDEMARK_STATE_DIR, or where `serve` puts it.")
    private @Nullable Path stateDir;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Admin address of the server, instead of a state directory, for example"
                    + " http://127.0.0.1:6398.")
    private @Nullable URI url;

    @Option(
            names = "--http-token-file",
            paramLabel = "PATH",
            description = "File with the bearer token of the admin port. Default: TIDEMARK_HTTP_TOKEN_FILE.")
    private @Nullable Path tokenFile;

    /** The body that a GET of this path answers. */
    String get(String path) {
        return send(request(path).GET().build());
    }

    /** The body that a POST of this JSON answers. */
    String post(String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(base().resolve(path)).timeout(TIMEOUT);
        token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request;
    }

    private URI base() {
        if (url != null) {
            if (!"http".equals(url.getScheme()) || url.getHost() == null) {
                throw notUnderstood("--url '" + url + "' is no admin address; expected http://HOST:PORT");
            }
            if (url.getPort() == 0 || url.getPort() > PORT_MAX) {
                throw notUnderstood("--url '" + url + "': " + url.getPort() + " is no port; expected 1 to " + PORT_MAX);
            }
            return url;
        }
        Path directory = Optional.ofNullable(stateDir)
                .or(() -> variable("TIDEMARK_STATE_DIR"))
                .orElseGet(() -> understood("", StatePath::byDefault));
        return StateDir.find(directory).map(Endpoints::http).map(URI::create).orElseThrow(() -> notFound(directory));
    }

    private static CommandFailed notFound(Path directory) {
        return new CommandFailed(StateDir.hidden(directory)
                .map(why -> "whether a server runs with state directory " + directory + " is not to be seen: " + why
                        + "; or say where it is with --url")
                .orElse("no server runs with state directory " + directory
                        + "; start one with 'tidemark serve', or say where it is with --state-dir or --url"));
    }

    private Optional<String> token() {
        Optional<Path> file = Optional.ofNullable(tokenFile).or(() -> variable("TIDEMARK_HTTP_TOKEN_FILE"));
        try {
            return file.isEmpty()
                    ? Optional.empty()
                    : Files.readString(file.get()).lines().findFirst().map(String::strip);
        } catch (IOException e) {
            throw new CommandFailed("cannot read token file " + file.get() + ": " + FileTrouble.reason(e), e);
        }
    }

    private Optional<Path> variable(String name) {
        return Optional.ofNullable(System.getenv(name))
                .filter(value -> !value.isBlank())
                .map(value -> understood("variable " + name + ": ", () -> PathText.read(value)));
    }

    private Path understood(String where, Supplier<Path> path) {
        try {
            return path.get();
        } catch (IllegalArgumentException e) {
            throw notUnderstood(where + e.getMessage());
        }
    }

    /** What an answer says is wrong. */
    private static String said(String body) {
        try {
            return Json.read(body, Wrong.class).error();
        } catch (JacksonException _) {
            return body.strip();
        }
    }

    /** The body of a refusal. */
    record Wrong(String error) {}

    private ParameterException notUnderstood(String why) {
        return new ParameterException(spec.commandLine(), why);
    }

    private RuntimeException refusal(int status, String why) {
        return switch (status) {
            case NOT_UNDERSTOOD -> notUnderstood("the server did not understand: " + why);
            case NOT_ADMITTED ->
                new CommandFailed("the server answered " + status + ": " + why
                        + "; expected --http-token-file FILE, or TIDEMARK_HTTP_TOKEN_FILE");
            case NOT_THERE ->
                new CommandFailed("the server answered " + status + ": " + why + "; expected the admin port of"
                        + " 'tidemark serve'; an evictor of volumes is asked by 'tidemark volume status'");
            default -> new CommandFailed("the server answered " + status + ": " + why);
        };
    }

    private String send(HttpRequest request) {
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .build()) {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != OK) {
                throw refusal(response.statusCode(), said(response.body()));
            }
            return response.body();
        } catch (ConnectException e) {
            throw new CommandFailed("no server answers at " + request.uri().resolve("/"), e);
        } catch (IOException e) {
            throw new CommandFailed("asking " + request.uri() + " failed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted", e);
        }
    }
}
