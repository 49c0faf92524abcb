package io.tidemark.server.cli;

import io.tidemark.server.Logging;
import io.tidemark.server.Shutdown;
import io.tidemark.server.config.ConfigException;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.TidemarkConfig;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code tidemark serve}. SIGTERM or SIGINT ends it with exit code 0; with {@code --json} it writes one object to stdout
 * once it serves. Plain command lines do not come here, see {@link PlainFlags}.
 */
@Command(name = "serve", description = "Runs the server until it is told to stop.", sortOptions = false)
final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    @Mixin
    private Output output;

    @Spec
    private CommandSpec spec;

    /**
     * Whether errors of a command line that was not understood belong into a log of JSON: it asks for one all the same, or
     * says nothing of it and the environment does.
     */
    static boolean wantsJsonLog(CommandLine line, String[] args, Map<String, String> environment) {
        if (!line.getCommandName().equals("serve")) {
            return false;
        }
        String flag = "--log-format";
        Optional<String> asked = Optional.ofNullable(environment.get("TIDEMARK_LOG_FORMAT"));
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith(flag + "=")) {
                asked = Optional.of(args[i].substring(flag.length() + 1));
            } else if (args[i].equals(flag) && i + 1 < args.length) {
                asked = Optional.of(args[i + 1]);
            }
        }
        return asked.filter("json"::equals).isPresent();
    }

    /** Writes an error as the only line of a log of JSON. */
    static void logAsJson(String problem) {
        Logging.configure(new TidemarkConfig.Log("error", true, 0));
        LOG.error(problem);
    }

    @Override
    public Integer call() throws ConfigException, InterruptedException {
        try {
            Effective effective = SettingFlags.effective(spec.commandLine().getParseResult(), System.getenv());
            return new Serving(effective, effective.config(), ready()).run(Shutdown.onSignals());
        } catch (ConfigException e) {
            if (!e.jsonLog()) {
                throw e;
            }
            e.problems().forEach(ServeCommand::logAsJson);
            return CommandLine.ExitCode.USAGE;
        }
    }

    private Consumer<Serving.Ready> ready() {
        return output.json() ? output::object : Serving.SAYS_NOTHING;
    }
}
