package io.tidemark.server;

/** The server cannot start; the message says why, for the person who started it. */
public final class StartException extends Exception {
    StartException(String message) {
        super(message);
    }

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
