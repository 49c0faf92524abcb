package io.tidemark.server.cli;

import io.tidemark.server.config.ConfigException;
import java.io.PrintWriter;

/** Tells people why a command failed. */
final class Failures {
    private Failures() {}

    /** Says what went wrong; answers the exit code. */
    static int tell(Exception e, PrintWriter err) {
        switch (e) {
            case CommandFailed known -> err.println("tidemark: " + known.getMessage());
            case ConfigException config -> {
                config.problems().forEach(problem -> err.println("tidemark: " + problem));
                return Serving.NOT_UNDERSTOOD;
            }
            default -> {
                err.println("tidemark: unexpected error, please report it:");
                e.printStackTrace(err);
            }
        }
        return Serving.FAILED;
    }
}
