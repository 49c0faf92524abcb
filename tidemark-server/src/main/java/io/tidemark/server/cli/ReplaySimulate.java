package io.tidemark.server.cli;

import io.tidemark.index.replay.CacheResult;
import io.tidemark.index.replay.CacheSize;
import io.tidemark.index.replay.CurvePlot;
import io.tidemark.index.replay.Marks;
import io.tidemark.index.replay.Simulation;
import io.tidemark.index.replay.SimulationOptions;
import io.tidemark.index.replay.SimulationResult;
import io.tidemark.index.replay.TierSizes;
import io.tidemark.index.replay.TraceFormatException;
import io.tidemark.server.machine.FileTrouble;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options and run of {@code tidemark replay TRACE --simulate}. */
final class ReplaySimulate {
    private static final List<CacheSize> DEFAULT_SIZES = List.of("1%", "2%", "5%", "10%", "20%", "50%").stream()
            .map(CacheSize::parse)
            .toList();

    @Option(names = "--simulate", description = "Simulate the eviction order; no server is needed.")
    private boolean simulate;

    private static final List<String> DEFAULT_POLICIES = List.of("lru", "lru+np", "opt");

    /** What nothing can do better is known for blocks of one size only. */
    private static final List<String> DEFAULT_BYTE_POLICIES = List.of("lru", "lru+np");

    /** What nothing can do better than is known for one tier only. */
    private static final List<String> DEFAULT_TIER_POLICIES = List.of("lru", "lru+np");

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "NAME",
            description = "Policies, or 'all'. Default: lru,lru+np,opt. With --tiers UPPER/LOWER[/np], or one for both;"
                    + " default: lru,lru+np. Known: ${COMPLETION-CANDIDATES}.",
            completionCandidates = PolicyNames.class)
    private List<String> policies = List.of();

    @Option(
            names = "--blocks",
            split = ",",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "Capacities, a number of blocks or N%% of the unique blocks. Default: 1%%,2%%,5%%,10%%,20%%,50%%.")
    private List<CacheSize> sizes = List.of();

    @Option(
            names = "--bytes",
            split = ",",
            paramLabel = "SIZE",
            converter = BytesConverter.class,
            description =
                    "Capacities in bytes instead, where the trace knows sizes: 512Mi, 2G, or N%% of the bytes of the"
                            + " unique blocks.")
    private List<CacheSize> byteSizes = List.of();

    @Option(
            names = "--marks",
            paramLabel = "HIGH:LOW",
            converter = MarksConverter.class,
            description = "Evict as a server with these watermarks does, for example 0.9:0.7; exactly if not given.")
    private @Nullable Marks marks;

    @Option(
            names = "--tiers",
            paramLabel = "dram=SIZE,ssd=SIZE",
            converter = TiersConverter.class,
            description =
                    "Simulate DRAM over SSD instead of one tier; sizes as of --blocks, or with units of bytes (2Gi).")
    private @Nullable TierSizes tiers;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Also draw the miss-ratio curves, as SVG or PNG by the name's end: .svg or .png.")
    private @Nullable Path plot;

    /** Runs the simulation; returns the exit code. */
    int run(Path trace, Output output) {
        SimulationOptions options;
        try {
            options = options();
        } catch (IllegalArgumentException e) {
            throw output.notUnderstood(String.valueOf(e.getMessage()));
        }
        try {
            List<SimulationResult> results = Simulation.run(trace, options, new SimulationReport(output, options));
            if (plot != null) {
                draw(trace, plot, results);
                output.note("curves drawn to " + plot);
            }
            return ExitCode.OK;
        } catch (TraceFormatException e) {
            return ReplayCommand.notATrace(e, output);
        } catch (IOException e) {
            throw new CommandFailed("replay of " + trace + ": " + FileTrouble.reason(e), e);
        }
    }

    private SimulationOptions options() {
        if (!simulate) {
            throw new IllegalArgumentException(
                    "--simulate is missing, whose options these are; expected it, or --against URL and its options");
        }
        if (plot != null && tiers != null) {
            throw new IllegalArgumentException("--plot draws one tier over its size: leave out --tiers");
        }
        if (plot != null) {
            PlotFormat.of(plot);
            requireWritable(plot);
        }
        if (tiers != null && !(sizes.isEmpty() && byteSizes.isEmpty())) {
            String given = sizes.isEmpty() ? "--bytes" : "--blocks";
            throw new IllegalArgumentException(given + " is the size of one tier: leave out --tiers");
        }
        if (!sizes.isEmpty() && !byteSizes.isEmpty()) {
            throw new IllegalArgumentException(
                    "--blocks and --bytes are both the size of a tier: leave one of them out");
        }
        List<CacheSize> oneOf = byteSizes.isEmpty() ? sizes : byteSizes;
        List<CacheSize> chosenSizes = oneOf.isEmpty() ? DEFAULT_SIZES : oneOf;
        return new SimulationOptions(chosen(), chosenSizes, Optional.ofNullable(marks), Optional.ofNullable(tiers));
    }

    /** Before the simulation, which may take minutes. */
    private static void requireWritable(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IllegalArgumentException("--plot " + file + ": no directory " + folder);
        }
        if (Files.isDirectory(file) || !Files.isWritable(Files.exists(file) ? file : folder)) {
            throw new IllegalArgumentException("--plot " + file + ": cannot be written");
        }
    }

    private List<String> chosen() {
        boolean inBytes = !byteSizes.isEmpty();
        if (policies.isEmpty()) {
            return tiers != null ? DEFAULT_TIER_POLICIES : inBytes ? DEFAULT_BYTE_POLICIES : DEFAULT_POLICIES;
        }
        if (policies.equals(List.of("all"))) {
            return tiers != null
                    ? Simulation.tierPolicies()
                    : inBytes ? Simulation.policiesInBytes() : Simulation.policies();
        }
        return policies;
    }

    private static void draw(Path trace, Path file, List<SimulationResult> results) throws IOException {
        List<CacheResult> points = results.stream()
                .filter(CacheResult.class::isInstance)
                .map(CacheResult.class::cast)
                .toList();
        String title = "Miss ratio by cache size: " + trace.getFileName();
        Files.write(file, PlotFormat.of(file).draw(title, points));
    }

    /** What a plot can be drawn as. */
    private enum PlotFormat {
        SVG,
        PNG;

        static PlotFormat of(Path file) {
            String name = file.toString().toLowerCase(Locale.ROOT);
            for (PlotFormat format : values()) {
                if (name.endsWith("." + format.name().toLowerCase(Locale.ROOT))) {
                    return format;
                }
            }
            throw new IllegalArgumentException(
                    "--plot " + file + ": curves are drawn as SVG or PNG, expected a name in .svg or .png");
        }

        byte[] draw(String title, List<CacheResult> results) throws IOException {
            return switch (this) {
                case SVG -> CurvePlot.svg(title, results).getBytes(StandardCharsets.UTF_8);
                case PNG -> CurvePlot.png(title, results);
            };
        }
    }

    /** Names for the help and for completion. */
    static final class PolicyNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Simulation.policies().iterator();
        }
    }

    /** Reads {@code 5%} or a count. */
    static final class SizeConverter implements ITypeConverter<CacheSize> {
        @Override
        public CacheSize convert(String value) {
            return converted(() -> CacheSize.parse(value));
        }
    }

    /** Reads {@code 512Mi} or {@code 5%}. */
    static final class BytesConverter implements ITypeConverter<CacheSize> {
        @Override
        public CacheSize convert(String value) {
            return converted(() -> CacheSize.parseBytes(value));
        }
    }

    /** Reads {@code 0.9:0.7}. */
    static final class MarksConverter implements ITypeConverter<Marks> {
        @Override
        public Marks convert(String value) {
            return converted(() -> Marks.parse(value));
        }
    }

    /** Reads {@code dram=2%,ssd=20%}. */
    static final class TiersConverter implements ITypeConverter<TierSizes> {
        @Override
        public TierSizes convert(String value) {
            return converted(() -> TierSizes.parse(value));
        }
    }

    private static <T> T converted(Supplier<T> parse) {
        try {
            return parse.get();
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
