package io.tidemark.server.http;

import java.util.Map;

/** A whole reply. */
public record Reply(int status, String contentType, String body) {
    /** Plain text. */
    public static Reply text(int status, String body) {
        return new Reply(status, "text/plain; charset=utf-8", body + "\n");
    }

    /** An object as JSON. */
    public static Reply json(int status, Object value) {
        return new Reply(status, "application/json", Json.write(value) + "\n");
    }

    /** An error as JSON. */
    public static Reply error(int status, String message) {
        return json(status, Map.of("error", message));
    }
}
