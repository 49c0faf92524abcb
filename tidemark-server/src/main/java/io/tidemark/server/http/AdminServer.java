package io.tidemark.server.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admin port: health, metrics, status. A request runs in a virtual thread of its own; requests at once,
 * connections, and the time for a request are bounded.
 */
public final class AdminServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final int REQUESTS_AT_ONCE = 64;
    private static final int BACKLOG = 128;

    private final HttpServer server;
    private final ExecutorService executor;
    private final Map<String, Route> routes;
    private final Optional<String> token;
    private final Semaphore permits = new Semaphore(REQUESTS_AT_ONCE);

    private AdminServer(
            HttpServer server, ExecutorService executor, Map<String, Route> routes, Optional<String> token) {
        this.server = server;
        this.executor = executor;
        this.routes = routes;
        this.token = token;
    }

    /**
     * Binds and serves.
     *
     * @param routes by exact path
     * @param token bearer token that guarded routes ask for; empty: none
     * @throws IOException when the address cannot be bound
     */
    public static AdminServer start(InetSocketAddress address, Map<String, Route> routes, Optional<String> token)
            throws IOException {
        HttpServer server = HttpServers.listen(address, BACKLOG);
        ExecutorService executor = HttpServers.threads();
        AdminServer admin = new AdminServer(server, executor, Map.copyOf(routes), token);
        server.setExecutor(executor);
        server.createContext("/", admin::handle);
        server.start();
        return admin;
    }

    /** The bound address. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            send(exchange, answerOrError(exchange));
        }
    }

    private Reply answerOrError(HttpExchange exchange) throws IOException {
        if (!permits.tryAcquire()) {
            return Reply.error(503, "too many requests");
        }
        try {
            return answer(exchange);
        } catch (RuntimeException e) {
            LOG.warn("request {} failed", exchange.getRequestURI(), e);
            return Reply.error(500, "internal error");
        } finally {
            permits.release();
        }
    }

    private Reply answer(HttpExchange exchange) throws IOException {
        if (token.isEmpty() && address().getAddress().isLoopbackAddress() && !HttpServers.isForThisMachine(exchange)) {
            return Reply.error(403, "expected a Host header that names this machine: localhost or a loopback address");
        }
        Route route = routes.get(exchange.getRequestURI().getPath());
        if (route == null) {
            return Reply.error(404, "no such path; expected " + String.join(", ", new TreeSet<>(routes.keySet())));
        }
        if (route.guarded() && !admitted(exchange)) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            return Reply.error(401, "bearer token missing or wrong");
        }
        String method = exchange.getRequestMethod();
        boolean head = method.equals("HEAD") && route.method().equals("GET");
        if (!method.equals(route.method()) && !head) {
            exchange.getResponseHeaders().set("Allow", route.method().equals("GET") ? "GET, HEAD" : route.method());
            return Reply.error(405, "expected " + route.method());
        }
        return route.handler().answer(new Request(exchange));
    }

    private boolean admitted(HttpExchange exchange) {
        if (token.isEmpty()) {
            return true;
        }
        String given = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .orElse("");
        return MessageDigest.isEqual(
                given.getBytes(StandardCharsets.UTF_8), ("Bearer " + token.get()).getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", reply.contentType());
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(reply.status(), head || body.length == 0 ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
    }

    /** Stops at once; requests that are under way are cut off. */
    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
