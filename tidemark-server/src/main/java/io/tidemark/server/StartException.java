package io.tidemark.server;

/** The server cannot start; the message says why, for the person who started it. */
public final class StartException extends Exception {
    StartException(String message) {
        super(message);
    }

    /** The process was told to stop before it served. */
    static StartException cancelled() {
        return new StartException("told to stop while starting");
    }

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
