package io.tidemark.server.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options and run of {@code tidemark replay TRACE --simulate}. */
final class ReplaySimulate {
    @Option(names = "--simulate", required = true, description = "Simulate the eviction order; no server is needed.")
    @SuppressWarnings("UnusedVariable") // required, so that it selects the mode
    private boolean simulate;

    /** Runs the simulation; returns the exit code. */
    int run(Path trace, Output output) {
        output.note("replay of " + trace + " --simulate: not in this build");
        return 1;
    }
}
