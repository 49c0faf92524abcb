package io.tidemark.server.cli;

/** A command cannot do what it was asked to; the message says why, for people. Ends in exit code 1. */
final class CommandFailed extends RuntimeException {
    CommandFailed(String message) {
        super(message);
    }

    CommandFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
