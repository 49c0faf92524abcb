package io.tidemark.server.cli;

import io.tidemark.core.medium.NativeDirectoryCalls;
import io.tidemark.core.volume.RootGuard;
import io.tidemark.core.volume.VolumeScan;
import io.tidemark.server.config.ByteSize;
import io.tidemark.server.volume.AgeBars;
import io.tidemark.server.volume.PassedOver;
import io.tidemark.server.volume.VolumeScans;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark volume scan}: what is on a volume, without changing anything. */
@Command(name = "scan", description = "Reports what is in a cache on a volume; changes nothing.")
final class VolumeScanCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Parameters(paramLabel = "PATH", description = "Root of the cache, or a folder above it.")
    private Path path = Path.of(".");

    @Option(names = "--layout", paramLabel = "NAME", description = "fs (default), sglang or shfs.")
    private String layout = "fs";

    @Option(names = "--loose", description = "Take what the old evictor takes, not only exact names.")
    private boolean loose;

    @Option(names = "--threads", paramLabel = "N", description = "1, 2 (default), 4, 8 or 16.")
    private int threads = 2;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!VolumeScans.LAYOUTS.contains(layout)) {
            throw output.notUnderstood(
                    "--layout='" + layout + "': expected one of " + String.join(", ", VolumeScans.LAYOUTS));
        }
        if (threads < 1 || threads > 16 || Integer.bitCount(threads) != 1) {
            throw output.notUnderstood("--threads=" + threads + ": expected 1, 2, 4, 8 or 16");
        }
        if (!Files.isDirectory(path)) {
            throw new CommandFailed(path + " is no directory; expected the root of a cache");
        }
        boolean terminal = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        VolumeScan.Report report = scan(terminal);
        Optional<PassedOver> others =
                report.files() == 0 ? Optional.of(PassedOver.in(path.toAbsolutePath())) : Optional.empty();
        if (output.json()) {
            Map<String, Object> json = VolumeScans.json(report);
            others.ifPresent(passed -> json.put("passed_over", passed.files()));
            output.object(json);
        } else {
            show(report);
            if (others.isPresent()) {
                show(others.get());
            }
        }
        return 0;
    }

    private VolumeScan.Report scan(boolean terminal) throws IOException, InterruptedException {
        try {
            return VolumeScans.scan(
                    new NativeDirectoryCalls(),
                    path.toAbsolutePath(),
                    VolumeScans.layout(layout, loose),
                    threads,
                    soFar -> {
                        if (terminal) {
                            System.err.print(ScanBar.line(soFar));
                        }
                    });
        } finally {
            if (terminal) {
                System.err.print(ScanBar.GONE);
            }
        }
    }

    /** Where no block was found: what there is instead, and which layout would find some. */
    private void show(PassedOver others) throws IOException, InterruptedException {
        if (others.files() == 0) {
            return;
        }
        output.text("passed over: " + others.files() + (others.files() == PassedOver.FILES_MAX ? " and more" : "")
                + " files that are no block of the layout " + layout + ", for example "
                + others.example().map(Path::toString).orElse(""));
        Optional<String> other = VolumeScans.layoutOfBlocks(new NativeDirectoryCalls(), path.toAbsolutePath());
        if (other.isPresent()) {
            output.text("blocks of the layout " + other.get() + " are there: "
                    + (other.get().equals(layout) ? "--loose" : "--layout " + other.get()) + " counts them");
        }
    }

    private void show(VolumeScan.Report report) {
        output.text(String.format(
                "%d files, %s, seen in %.2f s (%.0f files/s)",
                report.files(),
                ByteSize.rounded(report.bytes()),
                report.seconds(),
                report.files() / Math.max(report.seconds(), 1e-9)));
        output.text("root: " + standing(report));
        for (VolumeScan.Model model : report.models()) {
            output.text(String.format(
                    "model %s: %d rank directories, %d files, %s",
                    model.name(), model.rankDirectories(), model.files(), ByteSize.rounded(model.bytes())));
        }
        AgeBars.lines(report.ages()).forEach(output::text);
        output.text(String.format(
                "%d empty folders, %d orphaned temporary files (%s), %d unreadable",
                report.emptyFolders(), report.orphans(), ByteSize.rounded(report.orphanBytes()), report.unreadable()));
        if (!report.unread().isEmpty()) {
            output.text("could not read " + report.unread() + ": what lies there is in none of these figures");
        }
    }

    private String standing(VolumeScan.Report report) {
        if (RootGuard.isWholeMachine(path)) {
            return "REFUSED: is the root of the file system";
        }
        if (report.weights().isPresent()) {
            return "REFUSED: holds a model's weights, " + report.weights().get();
        }
        if (report.proven()) {
            return "proves itself to be a cache";
        }
        return report.adopted()
                ? "adopted"
                : "does not prove itself; nothing would be removed until it is adopted (tidemark volume adopt PATH)";
    }
}
