package io.tidemark.server.cli;

import io.tidemark.index.replay.TraceFormatException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark replay TRACE}, against a running server or a simulation. */
@Command(
        name = "replay",
        description = "Replays a trace of requests against a running server, every byte checked, or simulates it.",
        customSynopsis = {
            "tidemark replay TRACE --against=URL --block-bytes=SIZE [OPTION]...",
            "      or: tidemark replay TRACE --simulate [OPTION]..."
        },
        footer = {
            "",
            "Exit codes: 0 it worked, 1 bytes were wrong, a promised block was missing or the server failed, 2 command or trace"
                    + " were not understood."
        })
final class ReplayCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Parameters(
            paramLabel = "TRACE",
            description =
                    "Trace (.jsonl), keys or uses (.csv), each also .gz, or a recording of `tidemark serve --record`.")
    private Path trace;

    @ArgGroup(validate = false, heading = "Against a running server:%n")
    private @Nullable ReplayAgainst against;

    @ArgGroup(validate = false, heading = "As a simulation:%n")
    private @Nullable ReplaySimulate simulate;

    /** A trace that is damaged, empty or of no known kind: what was asked for was not understood. */
    static int notATrace(TraceFormatException e, Output output) {
        output.note("tidemark: " + e.getMessage());
        return ExitCode.USAGE;
    }

    @Override
    public Integer call() {
        if (against == null && simulate == null) {
            throw output.notUnderstood("expected --against URL, to replay against a server, or --simulate");
        }
        if (simulate == null) {
            return Objects.requireNonNull(against).run(trace, output);
        }
        if (against != null) {
            throw output.notUnderstood("options of --against and of --simulate at once; expected those of one of them");
        }
        return simulate.run(trace, output);
    }
}
