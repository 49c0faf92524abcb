package io.tidemark.server.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The parts of a request that handlers look at. */
public final class Request {
    /** Largest body taken, in bytes. */
    static final int MAX_BODY_BYTES = 256 * 1024;

    private final HttpExchange exchange;

    Request(HttpExchange exchange) {
        this.exchange = exchange;
    }

    /** Media type of the body, without parameters; empty when there is none. */
    public String contentType() {
        String given = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type"))
                .orElse("");
        return given.split(";", 2)[0].strip();
    }

    /** The body as text; empty when it is longer than {@value #MAX_BODY_BYTES} bytes. */
    public Optional<String> body() throws IOException {
        byte[] bytes = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
        return bytes.length > MAX_BODY_BYTES
                ? Optional.empty()
                : Optional.of(new String(bytes, StandardCharsets.UTF_8));
    }
}
