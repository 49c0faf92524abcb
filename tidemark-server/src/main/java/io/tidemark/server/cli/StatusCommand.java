package io.tidemark.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark status}. */
@Command(name = "status", description = "Shows what a running server holds and does.")
final class StatusCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Override
    public Integer call() {
        output.note("not in this build");
        return 1;
    }
}
