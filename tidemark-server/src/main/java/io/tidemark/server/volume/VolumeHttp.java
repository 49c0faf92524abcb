package io.tidemark.server.volume;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.core.volume.VolumeStatus;
import io.tidemark.core.volume.VolumeSweeper;
import io.tidemark.server.http.HttpServers;
import io.tidemark.server.metrics.PrometheusText;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import tools.jackson.databind.json.JsonMapper;

/**
 * Health and metrics. {@code /livez}: the process is alive; it never waits for the volume. {@code /readyz}: the volume
 * answers, looks at it are recent, and nothing keeps the sweeper from its work. {@code /metrics}: Prometheus.
 * {@code /api/v1/volume}: status as JSON. {@code /}: a page that draws it.
 */
final class VolumeHttp implements AutoCloseable {
    private static final String TEXT = PrometheusText.CONTENT_TYPE;
    private static final String JSON = "application/json";
    private static final int BACKLOG = 16;

    private final VolumeSweeper sweeper;
    private final Supplier<Long> eventsSent;
    private final HttpServer server;
    private final ExecutorService threads = HttpServers.threads();

    private interface Answer {
        void give(HttpExchange exchange) throws IOException;
    }

    VolumeHttp(HttpServer server, VolumeSweeper sweeper, Supplier<Long> eventsSent) {
        this.server = server;
        this.sweeper = sweeper;
        this.eventsSent = eventsSent;
        route("/livez", exchange -> send(exchange, 200, TEXT, "ok\n"));
        route("/readyz", this::ready);
        route("/metrics", exchange -> send(exchange, 200, TEXT, metrics()));
        route("/api/v1/volume", exchange -> send(exchange, 200, JSON, json()));
        route("/", this::page);
        server.setExecutor(threads);
        server.start();
    }

    /**
     * Listens at an address.
     *
     * @param address {@code host:port}; port 0 takes a free one
     * @param open whether an address beyond loopback is meant
     * @throws VolumeSettingException when there is no such host, or it is open to others without being meant
     */
    static HttpServer bind(String address, boolean open) throws IOException {
        InetAddress host = VolumePlaces.host(address, open, "METRICS_ADDRESS");
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        return HttpServers.listen(new InetSocketAddress(host, port), BACKLOG);
    }

    private void route(String path, Answer answer) {
        server.createContext(path, exchange -> {
            try (exchange) {
                if (server.getAddress().getAddress().isLoopbackAddress() && !HttpServers.isForThisMachine(exchange)) {
                    send(
                            exchange,
                            403,
                            TEXT,
                            "expected a Host header that names this machine: localhost or a loopback address\n");
                } else if (exchange.getRequestURI().getPath().equals(path)) {
                    answer.give(exchange);
                } else {
                    send(exchange, 404, TEXT, "not found\n");
                }
            }
        });
    }

    private void ready(HttpExchange exchange) throws IOException {
        String problem = sweeper.unready();
        if (!problem.isEmpty()) {
            send(exchange, 503, TEXT, problem + "\n");
            return;
        }
        String helpless = sweeper.status().problem();
        send(exchange, 200, TEXT, helpless.isEmpty() ? "ready\n" : "ready\nproblem: " + helpless + "\n");
    }

    private String metrics() {
        PrometheusText text = new PrometheusText();
        sweeper.counters(text);
        text.counter("tidemark_volume_events_sent_total", "Hashes published in delete events.", eventsSent.get());
        return text.page();
    }

    private String json() {
        VolumeStatus status = sweeper.status();
        return JsonMapper.builder()
                .build()
                .writeValueAsString(StatusJson.of(status, sweeper.mode(), sweeper.rehearsal(), sweeper.ages()));
    }

    private void page(HttpExchange exchange) throws IOException {
        try (InputStream page = VolumeHttp.class.getResourceAsStream("volume.html")) {
            String text = page == null ? "" : new String(page.readAllBytes(), StandardCharsets.UTF_8);
            send(exchange, text.isEmpty() ? 404 : 200, "text/html; charset=utf-8", text);
        }
    }

    private static void send(HttpExchange exchange, int code, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
