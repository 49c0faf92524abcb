package io.tidemark.server.volume;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The flags of {@code tidemark volume}, made from the list of settings. */
public final class VolumeFlags {
    private static final String CONFIG = "--config";

    private VolumeFlags() {}

    /** Adds {@code --config} and one flag for each setting. */
    public static void addTo(CommandLine command) {
        command.getCommandSpec()
                .addOption(OptionSpec.builder(CONFIG)
                        .type(Path.class)
                        .paramLabel("FILE")
                        .description("YAML file with settings; variables and flags win over it.")
                        .build());
        for (VolumeSetting<?> setting : VolumeSettings.all()) {
            String byDefault = setting.defaultText().isEmpty() ? "" : " Default: " + setting.defaultText() + ".";
            OptionSpec.Builder option = OptionSpec.builder(setting.flag())
                    .type(String.class)
                    .paramLabel("VALUE")
                    .description(setting.meaning().replace("%", "%%") + byDefault + " (" + setting.variable() + ")");
            boolean isSwitch = setting.form().equals("true or false");
            command.getCommandSpec()
                    .addOption((isSwitch ? option.arity("0..1").fallbackValue("true") : option).build());
        }
    }

    /**
     * The settings in effect for a parsed command.
     *
     * @throws VolumeSettingException when a value cannot be meant
     */
    public static VolumeOptions options(ParseResult parsed, Map<String, String> environment) {
        return options(VolumeSettings.all(), parsed, environment);
    }

    /** As {@link #options(ParseResult, Map)}, of these settings only. */
    static VolumeOptions options(List<VolumeSetting<?>> settings, ParseResult parsed, Map<String, String> environment) {
        Map<String, String> flags = new LinkedHashMap<>();
        for (VolumeSetting<?> setting : settings) {
            if (parsed.hasMatchedOption(setting.flag())) {
                flags.put(setting.variable(), parsed.matchedOptionValue(setting.flag(), ""));
            }
        }
        Path file = parsed.matchedOptionValue(CONFIG, (Path) null);
        return VolumeOptionSources.resolve(settings, Optional.ofNullable(file), environment, flags);
    }
}
