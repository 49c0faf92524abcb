package io.tidemark.server.cli;

import io.tidemark.index.replay.Trace;
import io.tidemark.index.replay.TraceFormatException;
import io.tidemark.index.replay.TraceReader;
import io.tidemark.server.config.ByteSize;
import io.tidemark.server.machine.FileTrouble;
import io.tidemark.server.replay.Endpoint;
import io.tidemark.server.replay.Pace;
import io.tidemark.server.replay.ReplayCounts;
import io.tidemark.server.replay.ReplayOptions;
import io.tidemark.server.replay.ReplayReport;
import io.tidemark.server.replay.Replayer;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options and run of {@code tidemark replay TRACE --against URL}. */
final class ReplayAgainst {
    private static final double PROGRESS_SECONDS = 2;

    @Option(
            names = "--against",
            paramLabel = "URL",
            converter = ToEndpoint.class,
            description =
                    "Server: redis://[:PASSWORD@]HOST[:PORT], unix://[:PASSWORD@]/PATH or a socket's absolute path.")
    private Optional<Endpoint> endpoint = Optional.empty();

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File whose first line is the server's password: one in the URL can be seen by others.")
    private Optional<Path> passwordFile = Optional.empty();

    @Option(
            names = "--block-bytes",
            paramLabel = "SIZE",
            converter = ToBytes.class,
            description = "Length of every block's value, 8 bytes to 64Mi, for example 64Ki. Has to be given.")
    private Optional<Integer> blockBytes = Optional.empty();

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "1",
            description = "Connections that take requests in turn, 1 to 1024. Default: ${DEFAULT-VALUE}.")
    private int clients;

    @Option(
            names = "--speed",
            paramLabel = "SPEED",
            defaultValue = "asap",
            converter = ToPace.class,
            description = "asap, real, or xN: N times as fast as recorded. Default: ${DEFAULT-VALUE}.")
    private Pace pace;

    private double nextProgressSeconds = PROGRESS_SECONDS;

    /** Runs the replay; returns the exit code: 0, or 1 when bytes were wrong or a promised block was missing. */
    int run(Path file, Output output) {
        ReplayOptions options = options(output);
        try {
            Trace trace = TraceReader.read(file);
            if (trace.requests() == 0) {
                output.note("tidemark: " + file + ": holds no request; expected at least one");
                return ExitCode.USAGE;
            }
            output.note("replaying %,d requests, %,d references to %,d blocks, against %s"
                    .formatted(trace.requests(), trace.references(), trace.uniqueBlocks(), options.endpoint()));
            trace.remarks().forEach(output::note);
            ReplayReport report = new Replayer(trace, options, System::nanoTime)
                    .run((counts, total, seconds) -> progress(output, counts, total, seconds));
            show(report, output);
            return report.counts().wrongBytes() + report.counts().failedLoads() == 0 ? 0 : 1;
        } catch (TraceFormatException e) {
            return ReplayCommand.notATrace(e, output);
        } catch (FileSystemException e) {
            throw new CommandFailed("replay of " + file + ": " + FileTrouble.reason(e), e);
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailed(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted", e);
        }
    }

    private ReplayOptions options(Output output) {
        Endpoint server = endpoint.orElseThrow(() ->
                output.notUnderstood("--against is missing; expected --against URL, or --simulate and its options"));
        int bytes = blockBytes.orElseThrow(
                () -> output.notUnderstood(
                        "--block-bytes is missing; expected the length of every block's value, for example --block-bytes 64Ki"));
        try {
            return new ReplayOptions(withPassword(server), bytes, clients, pace);
        } catch (IllegalArgumentException e) {
            throw output.notUnderstood(String.valueOf(e.getMessage()));
        }
    }

    private Endpoint withPassword(Endpoint server) {
        if (passwordFile.isEmpty()) {
            return server;
        }
        try {
            String secret =
                    Files.readString(passwordFile.get()).lines().findFirst().orElse("");
            return server.withPassword(secret.strip());
        } catch (IOException e) {
            throw new CommandFailed(
                    "option '--password-file': cannot read " + passwordFile.get() + ": " + FileTrouble.reason(e), e);
        }
    }

    private void progress(Output output, ReplayCounts counts, int total, double seconds) {
        if (seconds >= nextProgressSeconds || counts.requests() == total) {
            nextProgressSeconds = seconds + PROGRESS_SECONDS;
            output.note(String.format(
                    Locale.ROOT,
                    "%5.1f s  %,d of %,d requests  %,d prefix hits (%.1f %%)  %s moved",
                    seconds,
                    counts.requests(),
                    total,
                    counts.prefixHits(),
                    100 * counts.hitRatio(),
                    ByteSize.rounded(counts.bytesMoved())));
        }
    }

    private static void show(ReplayReport report, Output output) {
        if (output.json()) {
            output.object(report.fields());
            return;
        }
        ReplayCounts counts = report.counts();
        output.text("requests %,d in %.2f s, %s/s"
                .formatted(counts.requests(), report.seconds(), ByteSize.rounded((long) report.bytesPerSecond())));
        output.text("prefix hits %,d of %,d references (%.2f %%), %,d prefill tokens saved"
                .formatted(counts.prefixHits(), counts.references(), 100 * counts.hitRatio(), counts.tokensSaved()));
        output.text("wrong bytes %d, failed loads %d, refused puts %d, retries %d, dropped only copies %d"
                .formatted(
                        counts.wrongBytes(),
                        counts.failedLoads(),
                        counts.refusedPuts(),
                        counts.retries(),
                        report.droppedOnlyCopies()));
        output.text(latency("look-up", report.lookUp()));
        output.text(latency("load", report.load()));
        output.text(latency("store", report.store()));
    }

    private static String latency(String what, ReplayReport.Latency latency) {
        return String.format(
                Locale.ROOT,
                "%-8s us a request: p50 %.0f, p90 %.0f, p99 %.0f, max %.0f",
                what,
                latency.p50(),
                latency.p90(),
                latency.p99(),
                latency.max());
    }

    private static <T> T converted(String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    /** Reads {@code --against}. */
    static final class ToEndpoint implements ITypeConverter<Endpoint> {
        @Override
        public Endpoint convert(String text) {
            return converted(text, Endpoint::parse);
        }
    }

    /** Reads {@code --block-bytes}. */
    static final class ToBytes implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return converted(text, size -> Math.toIntExact(ByteSize.parse(size)));
        }
    }

    /** Reads {@code --speed}. */
    static final class ToPace implements ITypeConverter<Pace> {
        @Override
        public Pace convert(String text) {
            return converted(text, Pace::parse);
        }
    }
}
