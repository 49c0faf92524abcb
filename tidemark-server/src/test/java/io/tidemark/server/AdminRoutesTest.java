package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.http.AdminServer;
import io.tidemark.server.resp.Lookups;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminRoutesTest {
    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/readyz"})
    void probesFailWhileAThreadThatServesHangs(String probe) throws Exception {
        Lifecycle lifecycle = new Lifecycle();
        lifecycle.advance(Lifecycle.Phase.SERVING);
        AtomicReference<Optional<String>> sickness = new AtomicReference<>(Optional.empty());
        Endpoints nowhere = new Endpoints(1, "test", List.of(), List.of(), "");
        AdminRoutes routes = new AdminRoutes(
                lifecycle,
                sickness::get,
                () -> List.of("ssd0 is out of use"),
                () -> nowhere,
                () -> Lookups.NONE,
                _ -> {});
        try (AdminServer server = AdminServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        routes.routes(Optional::empty),
                        Optional.empty());
                HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + probe);
            assertThat(get(client, uri).statusCode()).isEqualTo(200);
            assertThat(get(client, uri).body())
                    .contains(probe.equals("/readyz") ? "serving\nssd0 is out of use" : "alive");
            sickness.set(Optional.of("tidemark-resp-0 has ended"));
            assertThat(get(client, uri).statusCode()).isEqualTo(503);
            assertThat(get(client, uri).body()).contains("tidemark-resp-0 has ended");
        }
    }

    private static HttpResponse<String> get(HttpClient client, URI uri) throws Exception {
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
