package io.tidemark.server.http;

import java.io.IOException;

/**
 * What answers a path.
 *
 * @param method GET (HEAD is answered too) or POST
 * @param guarded whether the bearer token is asked for, where there is one
 */
public record Route(String method, boolean guarded, Handler handler) {
    /** Makes the reply to a request. */
    @FunctionalInterface
    public interface Handler {
        Reply answer(Request request) throws IOException;
    }
}
