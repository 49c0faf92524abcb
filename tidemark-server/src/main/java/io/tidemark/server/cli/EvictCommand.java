package io.tidemark.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark evict}. */
@Command(name = "evict", description = "Evicts one block from a running server.")
final class EvictCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Override
    public Integer call() {
        output.note("not in this build");
        return 1;
    }
}
