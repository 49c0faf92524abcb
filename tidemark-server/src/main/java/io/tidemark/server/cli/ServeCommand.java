package io.tidemark.server.cli;

import io.tidemark.server.config.ConfigException;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.TidemarkConfig;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tidemark serve}. */
@Command(name = "serve", description = "Runs the server until it is told to stop.", sortOptions = false)
final class ServeCommand implements Callable<Integer> {
    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws ConfigException {
        Effective effective = SettingFlags.effective(spec.commandLine().getParseResult(), System.getenv());
        effective.warnings().forEach(output::note);
        TidemarkConfig config = effective.config();
        throw new CommandFailed("serve: not in this build (" + config.stateDir() + ")");
    }
}
