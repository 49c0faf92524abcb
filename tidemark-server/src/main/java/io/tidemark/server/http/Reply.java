package io.tidemark.server.http;

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

    /** What {@link PlainJson} can write: the first of these replies does not wait until the library is made. */
    public static Reply plainJson(int status, Record value) {
        return new Reply(status, "application/json", PlainJson.write(value) + "\n");
    }

    /** An error as JSON. */
    public static Reply error(int status, String message) {
        return plainJson(status, new Failure(message));
    }

    private record Failure(String error) {}
}
