package io.tidemark.server.cli;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark replay TRACE}, against a running server or a simulation. */
@Command(
        name = "replay",
        description = "Replays a trace of requests against a running server, every byte checked, or simulates it.")
final class ReplayCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Parameters(
            paramLabel = "TRACE",
            description =
                    "Trace (.jsonl), keys or uses (.csv), each also .gz, or a recording of `tidemark serve --record`.")
    private Path trace;

    @ArgGroup(exclusive = true, multiplicity = "1")
    private final Mode mode = new Mode();

    /** Exactly one of the two. */
    private static final class Mode {
        @ArgGroup(exclusive = false, heading = "Against a running server:%n")
        private @Nullable ReplayAgainst against;

        @ArgGroup(exclusive = false, heading = "As a simulation:%n")
        private @Nullable ReplaySimulate simulate;
    }

    @Override
    public Integer call() {
        if (mode.against != null) {
            return mode.against.run(trace, output);
        }
        return Objects.requireNonNull(mode.simulate, "picocli sets one of the two")
                .run(trace, output);
    }
}
