package io.tidemark.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdminServerTest {
    private static final Map<String, Route> ROUTES = Map.of(
            "/open", new Route("GET", false, _ -> Reply.text(200, "hello")),
            "/guarded", new Route("GET", true, _ -> Reply.json(200, Map.of("maxBytes", 1))),
            "/echo",
                    new Route(
                            "POST",
                            true,
                            request -> request.body()
                                    .map(body -> Reply.text(200, body))
                                    .orElse(Reply.error(413, "body too long"))),
            "/broken",
                    new Route("GET", false, _ -> {
                        throw new IllegalStateException("on purpose");
                    }));

    private final HttpClient client = HttpClient.newHttpClient();
    private AdminServer server = start(Optional.empty());

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    @Test
    void answersByPathAndMethod() throws Exception {
        assertThat(get("/open").body()).isEqualTo("hello\n");
        assertThat(get("/open?verbose=1").statusCode()).isEqualTo(200);
        assertThat(get("/nothing").statusCode()).isEqualTo(404);
        assertThat(get("/open/more").statusCode()).isEqualTo(404);
        assertThat(get("/broken").statusCode()).isEqualTo(500);
        assertThat(get("/broken").body()).doesNotContain("on purpose");
        assertThat(post("/echo", "x").body()).isEqualTo("x\n");
        HttpResponse<String> wrong = post("/open", "");
        assertThat(wrong.statusCode()).isEqualTo(405);
        assertThat(wrong.headers().firstValue("Allow")).contains("GET, HEAD");
    }

    @Test
    void aNameThatIsNotThisMachinesIsRefusedWithoutAToken() throws Exception {
        for (String host : List.of("localhost", "127.0.0.1:80", "[::1]:6398", "127.9.9.9", "LOCALHOST:1")) {
            assertThat(statusFor(host)).as(host).contains(" 200 ");
        }
        for (String host :
                List.of("evil.example", "evil.example:6398", "10.0.0.1", "localhost.evil.example", "[fe80::1]")) {
            assertThat(statusFor(host)).as(host).contains(" 403 ");
        }
        server.close();
        server = start(Optional.of("secret"));
        assertThat(statusFor("evil.example")).contains(" 200 ");
    }

    private String statusFor(String host) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
            socket.getOutputStream()
                    .write(("GET /open HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .findFirst()
                    .orElse("");
        }
    }

    @Test
    void headHasNoBody() throws Exception {
        HttpResponse<String> head = client.send(
                request("/open")
                        .method("HEAD", HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void aBodyBeyondTheBoundIsRefused() throws Exception {
        assertThat(post("/echo", "x".repeat(Request.MAX_BODY_BYTES)).statusCode())
                .isEqualTo(200);
        assertThat(post("/echo", "x".repeat(Request.MAX_BODY_BYTES + 1)).statusCode())
                .isEqualTo(413);
    }

    @Test
    void guardedRoutesAskForTheToken() throws Exception {
        server.close();
        server = start(Optional.of("s3cret"));

        assertThat(get("/open").statusCode()).isEqualTo(200);
        assertThat(get("/guarded").statusCode()).isEqualTo(401);
        assertThat(client.send(
                                request("/guarded")
                                        .header("Authorization", "Bearer s3cret")
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body())
                .isEqualTo("{\"maxBytes\":1}\n");
        assertThat(client.send(
                                request("/guarded")
                                        .header("Authorization", "Bearer s3cre")
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void nonsenseOnTheWireIsAnsweredWithAnErrorAndHarmsNobody() throws Exception {
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write("nonsense\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            try (InputStream in = socket.getInputStream()) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII))
                        .contains("400");
            }
        }
        assertThat(get("/open").statusCode()).isEqualTo(200);
    }

    private static AdminServer start(Optional<String> token) {
        try {
            return AdminServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ROUTES, token);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return client.send(
                request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.address().getPort() + path));
    }
}
