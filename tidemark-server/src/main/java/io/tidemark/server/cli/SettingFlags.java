package io.tidemark.server.cli;

import io.tidemark.server.config.ConfigException;
import io.tidemark.server.config.Effective;
import io.tidemark.server.config.Given;
import io.tidemark.server.config.Origin;
import io.tidemark.server.config.Setting;
import io.tidemark.server.config.Settings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The flags of a command that takes every setting of the server, made from the list of settings. */
final class SettingFlags {
    private SettingFlags() {}

    /** Adds {@code --config} and one flag for each setting. */
    static void addTo(CommandLine command) {
        command.getCommandSpec()
                .addOption(OptionSpec.builder(PlainFlags.CONFIG)
                        .type(Path.class) // for completion; what is no path is told as that of a variable is
                        .converters(text -> text)
                        .paramLabel("FILE")
                        .description("YAML file with settings; variables and flags win over it.")
                        .build());
        for (Setting<?> setting : Settings.all()) {
            command.getCommandSpec().addOption(option(setting));
        }
        shortenSynopsis(command);
    }

    /** Fifty flags in a row help nobody: the list of what they mean follows anyhow. */
    private static void shortenSynopsis(CommandLine command) {
        String file = command.getCommandSpec().positionalParameters().isEmpty() ? "" : " [FILE]";
        command.getCommandSpec()
                .usageMessage()
                .customSynopsis(command.getCommandSpec().qualifiedName()
                        + " [-h] [--json] [--config=FILE] [--SETTING=VALUE]..." + file);
    }

    private static OptionSpec option(Setting<?> setting) {
        String range = setting.range().isEmpty() ? "" : " Range: " + setting.range() + ".";
        String byDefault = range + (setting.defaultText().isEmpty() ? "" : " Default: " + setting.defaultText() + ".");
        OptionSpec.Builder option = OptionSpec.builder(setting.flag())
                .type(setting.many() ? String[].class : String.class)
                .paramLabel(setting.form())
                .description(setting.meaning().replace("%", "%%").replace("`", "") + byDefault);
        if (setting.form().indexOf('|') > 0) {
            option.completionCandidates(List.of(setting.form().split("\\|", -1)));
        }
        setting.bareText().ifPresent(text -> option.arity("0..1").fallbackValue(text));
        return option.build();
    }

    /** The settings in effect for a parsed command. */
    static Effective effective(ParseResult parsed, Map<String, String> environment) throws ConfigException {
        return effective(parsed, environment, Optional.empty());
    }

    /** The settings in effect for a parsed command, with the file that it was given otherwise than by a flag. */
    static Effective effective(ParseResult parsed, Map<String, String> environment, Optional<Path> given)
            throws ConfigException {
        PlainFlags flags = plain(parsed);
        return given.isPresent() ? Effective.resolve(given, environment, flags.values()) : flags.effective(environment);
    }

    /** What was parsed. */
    static PlainFlags plain(ParseResult parsed) {
        Map<String, Given> values = new LinkedHashMap<>();
        for (Setting<?> setting : Settings.all()) {
            if (parsed.hasMatchedOption(setting.flag())) {
                String text = setting.many()
                        ? String.join(",", parsed.matchedOptionValue(setting.flag(), new String[0]))
                        : parsed.matchedOptionValue(setting.flag(), "");
                values.put(setting.key(), new Given(text, new Origin.Flag(setting.flag())));
            }
        }
        Optional<String> file = Optional.ofNullable(parsed.matchedOptionValue(PlainFlags.CONFIG, (String) null));
        return new PlainFlags(values, file, parsed.hasMatchedOption(PlainFlags.JSON));
    }
}
