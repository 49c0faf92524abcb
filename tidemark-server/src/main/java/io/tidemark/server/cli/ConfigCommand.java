package io.tidemark.server.cli;

import io.tidemark.server.config.ConfigException;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Setting;
import io.tidemark.server.config.Settings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidemark config}. */
@Command(
        name = "config",
        description = "Shows or checks the configuration.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ConfigCommand.Show.class, ConfigCommand.Validate.class})
final class ConfigCommand {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // read by picocli
    private boolean help;

    private ConfigCommand() {}

    /** {@code tidemark config show}: secrets stay in their files, so nothing here is secret. */
    @Command(
            name = "show",
            description = "Shows every setting that `serve` would use with the same file, variables and flags, and"
                    + " where it comes from.")
    static final class Show implements Callable<Integer> {
        @Mixin
        private Output output;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws ConfigException {
            Effective effective = SettingFlags.effective(spec.commandLine().getParseResult(), System.getenv());
            effective.warnings().forEach(output::note);
            effective.config();
            for (Setting<?> setting : Settings.all()) {
                Given given = effective.given(setting);
                if (output.json()) {
                    Map<String, String> line = new LinkedHashMap<>();
                    line.put("key", setting.key());
                    line.put("value", given.text());
                    line.put("from", given.origin().toString());
                    output.object(line);
                } else {
                    output.text(String.format(
                            Locale.ROOT, "%-24s %-20s # %s", setting.key() + ":", given.text(), given.origin()));
                }
            }
            return 0;
        }
    }

    /** {@code tidemark config validate FILE}: problems end it with the code with which they end {@code serve}. */
    @Command(name = "validate", description = "Checks a configuration file and names every problem with its line.")
    static final class Validate implements Callable<Integer> {
        @Mixin
        private Output output;

        @Parameters(paramLabel = "FILE", description = "YAML file with settings.")
        private Path file;

        @Override
        public Integer call() {
            List<String> problems = problems();
            if (output.json()) {
                Map<String, Object> result = new LinkedHashMap<>();
                result.put("file", file.toString());
                result.put("valid", problems.isEmpty());
                result.put("problems", problems);
                output.object(result);
            } else {
                problems.forEach(output::note);
                if (problems.isEmpty()) {
                    output.text(file + ": valid");
                }
            }
            return problems.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.USAGE;
        }

        private List<String> problems() {
            try {
                Effective.resolve(Optional.of(file), Map.of(), Map.of()).config();
                return List.of();
            } catch (ConfigException e) {
                return e.problems();
            }
        }
    }
}
