package io.tidemark.server.cli;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
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

    @Override
    public Integer call() throws InterruptedException {
        CommandLine line = spec.commandLine();
        return Serving.run(
                () -> SettingFlags.effective(line.getParseResult(), System.getenv()), ready(), line.getErr());
    }

    private Consumer<Serving.Ready> ready() {
        return output.json() ? output::object : Serving.SAYS_NOTHING;
    }
}
