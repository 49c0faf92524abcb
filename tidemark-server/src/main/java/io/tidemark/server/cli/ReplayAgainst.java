package io.tidemark.server.cli;

import java.net.URI;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options and run of {@code tidemark replay TRACE --against URL}. */
final class ReplayAgainst {
    @Option(names = "--against", required = true, paramLabel = "URL", description = "Server, redis://HOST:PORT.")
    private URI url;

    /** Runs the replay; returns the exit code. */
    int run(Path trace, Output output) {
        output.note("replay of " + trace + " --against " + url + ": not in this build");
        return 1;
    }
}
