package io.tidemark.server.cli;

import io.tidemark.server.http.Json;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every command shares: where results and messages go, and in which form. */
final class Output {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--json", description = "Write results as JSON, one compact object a line.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // read by picocli
    private boolean help;

    /** Whether results are asked for as JSON. */
    boolean json() {
        return json;
    }

    /** Writes a record or map as one line of JSON, names in snake case, to stdout. */
    void object(Object value) {
        spec.commandLine().getOut().println(Json.write(value));
    }

    /** Writes a line of a result for people to stdout. */
    void text(String line) {
        spec.commandLine().getOut().println(line);
    }

    /** Writes a message that is no result to stderr. */
    void note(String line) {
        spec.commandLine().getErr().println(line);
    }

    /** The command line was wrong in a way that only its values show. */
    ParameterException notUnderstood(String why) {
        return new ParameterException(spec.commandLine(), why);
    }

    /** Where messages that are no results go. */
    PrintWriter notes() {
        return spec.commandLine().getErr();
    }
}
