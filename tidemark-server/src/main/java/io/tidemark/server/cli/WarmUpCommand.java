package io.tidemark.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark warm-up --volume}: as {@link ServeWarmUp}, with a volume evictor. */
@Command(name = ServeWarmUp.COMMAND, hidden = true, description = "Starts, uses and stops a volume evictor, once.")
final class WarmUpCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Option(names = "--volume", required = true, description = "The volume evictor; without it a server.")
    private boolean volume;

    @Override
    public Integer call() throws Exception {
        if (volume) {
            ServeWarmUp.inFolder(VolumeWarmUp::run);
            output.note("warm-up done");
        }
        return 0;
    }
}
