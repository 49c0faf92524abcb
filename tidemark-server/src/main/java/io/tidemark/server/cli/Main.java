package io.tidemark.server.cli;

import io.tidemark.server.Shutdown;
import io.tidemark.server.config.ConfigException;
import io.tidemark.server.machine.PathText;
import io.tidemark.server.volume.VolumeFlags;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/**
 * Entry point of the command {@code tidemark}. A server with a plain command line starts without picocli, see
 * {@link PlainFlags}.
 *
 * <p>Exit codes: 0 it worked, 1 it failed, 2 the command or its configuration was not understood; {@code volume} ends
 * with 1 for a setting that cannot be meant, as the evictor it replaces does.
 */
@Command(
        name = "tidemark",
        description = "Keeps the KV cache of LLM engines in tiers, under one eviction path.",
        subcommands = {
            ServeCommand.class,
            DemoCommand.class,
            StatusCommand.class,
            ReplayCommand.class,
            GoldenCommand.class,
            EvictCommand.class,
            DoctorCommand.class,
            VolumeCommand.class,
            ConfigCommand.class,
            VersionCommand.class,
            CompletionCommand.class,
            WarmUpCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.Provider.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "`tidemark COMMAND --help` explains a command; `tidemark bench` runs the benchmarks."})
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals("serve")) {
            Shutdown.onSignals(); // before anything else: until then a signal ends the JVM with a code of its own
            PlainFlags.read(args, 1).ifPresent(flags -> System.exit(PlainStart.run(flags)));
        }
        System.exit(commandLine().execute(args));
    }

    /** The whole command line, ready to execute. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        SettingFlags.addTo(sub(line, "serve"));
        SettingFlags.addTo(sub(line, "doctor"));
        SettingFlags.addTo(sub(sub(line, "config"), "show"));
        SettingFlags.addTo(sub(sub(line, "config"), "validate"));
        VolumeFlags.addTo(sub(line, "volume"));
        line.registerConverter(Path.class, Main::path);
        line.setParameterExceptionHandler(Main::notUnderstood);
        line.setExecutionExceptionHandler(Main::failed);
        line.setUsageHelpAutoWidth(true);
        return line;
    }

    private static Path path(String text) {
        try {
            return PathText.read(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    private static CommandLine sub(CommandLine line, String name) {
        return Objects.requireNonNull(line.getSubcommands().get(name), name);
    }

    private static int notUnderstood(ParameterException e, String[] args) {
        CommandLine line = e.getCommandLine();
        if (args.length == 0) {
            line.usage(line.getErr());
            return CommandLine.ExitCode.USAGE;
        }
        String text = UsageErrors.text(e);
        if (ServeCommand.wantsJsonLog(line, args, System.getenv())) {
            Serving.logAsJson(text);
        } else {
            line.getErr().println("tidemark: " + text);
            line.getErr().println(UsageErrors.help(line));
        }
        return CommandLine.ExitCode.USAGE;
    }

    private static int failed(Exception e, CommandLine line, ParseResult result) {
        return failed(e, line.getErr());
    }

    /** Says what went wrong; answers the exit code. */
    static int failed(Exception e, PrintWriter err) {
        switch (e) {
            case CommandFailed known -> err.println("tidemark: " + known.getMessage());
            case ConfigException config -> {
                config.problems().forEach(problem -> err.println("tidemark: " + problem));
                return CommandLine.ExitCode.USAGE;
            }
            default -> {
                err.println("tidemark: unexpected error, please report it:");
                e.printStackTrace(err);
            }
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}
