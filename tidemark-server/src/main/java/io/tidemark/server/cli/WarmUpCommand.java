package io.tidemark.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark warm-up}: {@link ServeWarmUp}, or with {@code --volume} the same for a volume evictor. */
@Command(
        name = ServeWarmUp.COMMAND,
        hidden = true,
        description = "Starts, uses and stops a server or a volume evictor, once.")
final class WarmUpCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Option(names = "--volume", description = "The volume evictor; without it a server.")
    private boolean volume;

    @Override
    public Integer call() throws Exception {
        if (volume) {
            ServeWarmUp.inFolder(VolumeWarmUp::run);
        } else {
            ServeWarmUp.run();
        }
        output.note("warm-up done");
        return 0;
    }
}
