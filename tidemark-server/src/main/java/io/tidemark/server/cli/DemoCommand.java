package io.tidemark.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark demo}. */
@Command(
        name = "demo",
        description = "Runs a server and replays a bundled slice of a production trace against it, every byte checked.")
final class DemoCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Override
    public Integer call() {
        output.note("not in this build");
        return 1;
    }
}
