package io.tidemark.server.volume;

import io.tidemark.server.config.FlatYaml;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Gathers the settings: file, environment and flags, in rising precedence. */
public final class VolumeOptionSources {
    private VolumeOptionSources() {}

    /**
     * The settings in effect.
     *
     * @param file YAML, settings at the top or under {@code volume}; unknown keys are refused
     * @param flags values by the variable of their setting
     * @throws VolumeSettingException names all that cannot be meant, wherever it stands
     */
    public static VolumeOptions resolve(
            Optional<Path> file, Map<String, String> environment, Map<String, String> flags) {
        return resolve(VolumeSettings.all(), file, environment, flags);
    }

    /** As {@link #resolve(Optional, Map, Map)}, of these settings only: what others were given is not judged, and their defaults hold. */
    static VolumeOptions resolve(
            List<VolumeSetting<?>> settings,
            Optional<Path> file,
            Map<String, String> environment,
            Map<String, String> flags) {
        Map<String, VolumeOptions.Given> given = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        file.ifPresent(path -> fromFile(path, settings, given, problems));
        for (VolumeSetting<?> setting : settings) {
            Optional.ofNullable(environment.get(setting.variable()))
                    .ifPresent(
                            text -> given.put(setting.variable(), new VolumeOptions.Given(text, setting.variable())));
            Optional.ofNullable(flags.get(setting.variable()))
                    .ifPresent(text -> given.put(setting.variable(), new VolumeOptions.Given(text, setting.flag())));
        }
        VolumeOptions options = new VolumeOptions(given, problems);
        if (!problems.isEmpty()) {
            throw new VolumeSettingException(String.join("\n", problems));
        }
        return options;
    }

    private static void fromFile(
            Path file, List<VolumeSetting<?>> settings, Map<String, VolumeOptions.Given> given, List<String> problems) {
        Map<String, VolumeSetting<?>> byKey = new LinkedHashMap<>();
        VolumeSettings.all().forEach(setting -> byKey.put(setting.key(), setting));
        for (FlatYaml.Entry entry : FlatYaml.read(file, "volume", byKey.keySet(), problems)) {
            VolumeSetting<?> setting = Objects.requireNonNull(byKey.get(entry.name()));
            if (settings.contains(setting)) {
                String origin = file + ":" + entry.line() + ": " + entry.name();
                given.put(setting.variable(), new VolumeOptions.Given(entry.text(), origin));
            }
        }
    }
}
