package io.tidemark.server.golden;

/** A file is no recording that can be replayed; the message names file, line and reason. */
public final class GoldenFormatException extends Exception {
    GoldenFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
