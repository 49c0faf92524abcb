package io.tidemark.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code tidemark warm-up}: {@link ServeWarmUp}, with {@code --commands} what other commands need too, or with {@code --volume}
 * the same for a volume evictor.
 */
@Command(
        name = ServeWarmUp.COMMAND,
        hidden = true,
        description = "Starts, uses and stops a server or a volume evictor, once.")
final class WarmUpCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Option(names = "--volume", description = "The volume evictor; without it a server.")
    private boolean volume;

    @Option(names = "--commands", description = "A server that is asked as other commands do.")
    private boolean commands;

    @Override
    public Integer call() throws Exception {
        if (volume) {
            ServeWarmUp.inFolder(VolumeWarmUp::run);
        } else if (commands) {
            ServeWarmUp.run(CommandsWarmUp::ask);
        } else {
            ServeWarmUp.run();
        }
        output.note("warm-up done");
        return 0;
    }
}
