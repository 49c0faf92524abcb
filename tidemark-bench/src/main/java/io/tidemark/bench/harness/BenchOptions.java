package io.tidemark.bench.harness;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Options and output that every benchmark shares. */
public final class BenchOptions {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--rounds", defaultValue = "30", description = "Measured rounds (default ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--warm", defaultValue = "10", description = "Seconds of warm-up (default ${DEFAULT-VALUE}).")
    private double warmSeconds;

    @Option(names = "--json", description = "Write results as JSON, one compact object a line.")
    private boolean json;

    /** How often and how long to measure. */
    public Rounds rounds() {
        return new Rounds(rounds, warmSeconds);
    }

    /** Raises the priority and writes the machine, the command and the head of the table. */
    public void begin() {
        String priority = Machine.raisePriority();
        note(Machine.line(priority));
        List<String> arguments = spec.root().commandLine().getParseResult().originalArgs();
        note("./tidemark bench " + String.join(" ", arguments));
        if (!json) {
            out().println(Row.HEADER);
        }
    }

    /** Writes a result. */
    public void result(Row row) {
        out().println(json ? MAPPER.writeValueAsString(row.fields()) : row.text());
        out().flush();
    }

    /** Writes a message that is no result to stderr. */
    public void note(String line) {
        spec.commandLine().getErr().println(line);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
