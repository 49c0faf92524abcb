package io.tidemark.server.cli;

import io.tidemark.server.machine.PathText;
import io.tidemark.server.volume.VolumeFlags;
import java.nio.file.Path;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** The command {@code tidemark} with all its commands, as picocli takes it. */
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
            BenchCommand.class,
            WarmUpCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.Provider.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "`tidemark COMMAND --help` explains a command."})
final class Commands {
    private Commands() {}

    /** The whole command line, ready to execute. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Commands());
        SettingFlags.addTo(sub(line, "serve"));
        SettingFlags.addTo(sub(line, "doctor"));
        SettingFlags.addTo(sub(sub(line, "config"), "show"));
        SettingFlags.addTo(sub(sub(line, "config"), "validate"));
        VolumeFlags.addTo(sub(line, "volume"));
        line.registerConverter(Path.class, Commands::path);
        line.setParameterExceptionHandler(Commands::notUnderstood);
        line.setExecutionExceptionHandler(Commands::failed);
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
        return Failures.tell(e, line.getErr());
    }
}
