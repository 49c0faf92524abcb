package io.tidemark.server.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Unmatched;

/**
 * {@code tidemark bench}: named here so that help, completion and hints know it. In a checkout the script {@code tidemark} runs
 * the benchmarks without coming here; they are no part of the server.
 */
@Command(name = "bench", description = "Runs the benchmarks; from a checkout only: ./tidemark bench --help")
final class BenchCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    /** Whatever follows is the benchmarks' own. */
    @Unmatched
    @SuppressWarnings("UnusedVariable") // read by picocli
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
        throw output.notUnderstood("the benchmarks run from a checkout: ./tidemark bench");
    }
}
