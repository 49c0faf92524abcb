package io.tidemark.server.cli;

import io.tidemark.server.golden.GoldenFormatException;
import io.tidemark.server.golden.GoldenReplay;
import io.tidemark.server.golden.GoldenReport;
import io.tidemark.server.machine.FileTrouble;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark golden}. */
@Command(
        name = "golden",
        description = "Replays recorded calls of a prefix tree and compares every field of every result.",
        footer = {"", "Exit codes: 0 all results are equal, 1 some differ or a file cannot be replayed."})
final class GoldenCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Option(
            names = "--rebuild-each-walk",
            description = "Sort all leaves anew at each eviction; results must not change.")
    private boolean rebuildEachWalk;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "JSON lines, plain or with gzip.")
    private List<Path> files;

    @Override
    public Integer call() {
        boolean equal = true;
        for (Path file : files) {
            equal &= replay(file);
        }
        return equal ? 0 : 1;
    }

    private boolean replay(Path file) {
        try {
            GoldenReport report = GoldenReplay.run(file, rebuildEachWalk);
            print(file, report);
            return report.mismatches() == 0;
        } catch (GoldenFormatException e) {
            failed(file, "cannot replay " + e.getMessage());
        } catch (IOException e) {
            failed(file, "cannot read " + file + ": " + FileTrouble.reason(e));
        }
        return false;
    }

    private void failed(Path file, String why) {
        output.note("tidemark: " + why);
        if (output.json()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("file", file.toString());
            line.put("error", why);
            output.object(line);
        }
    }

    private void print(Path file, GoldenReport report) {
        if (output.json()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("file", file.toString());
            line.put("ops", report.ops());
            line.put("mismatches", report.mismatches());
            report.firstMismatch().ifPresent(first -> line.put("first", first));
            output.object(line);
        } else {
            output.text(file + " ops=" + report.ops() + " mismatches=" + report.mismatches());
            report.firstMismatch().ifPresent(first -> output.note(file + ": first difference in " + first));
        }
    }
}
