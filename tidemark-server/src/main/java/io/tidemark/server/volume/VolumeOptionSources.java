package io.tidemark.server.volume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Gathers the settings: file, environment and flags, in rising precedence. */
public final class VolumeOptionSources {
    private VolumeOptionSources() {}

    /**
     * The settings in effect.
     *
     * @param file YAML, settings at the top or under {@code volume}; unknown keys are refused
     * @param flags values by the variable of their setting
     * @throws VolumeSettingException when a value cannot be meant
     */
    public static VolumeOptions resolve(
            Optional<Path> file, Map<String, String> environment, Map<String, String> flags) {
        Map<String, VolumeOptions.Given> given = new LinkedHashMap<>();
        file.ifPresent(path -> fromFile(path, given));
        for (VolumeSetting<?> setting : VolumeSettings.all()) {
            Optional.ofNullable(environment.get(setting.variable()))
                    .ifPresent(
                            text -> given.put(setting.variable(), new VolumeOptions.Given(text, setting.variable())));
            Optional.ofNullable(flags.get(setting.variable()))
                    .ifPresent(text -> given.put(setting.variable(), new VolumeOptions.Given(text, setting.flag())));
        }
        return new VolumeOptions(given);
    }

    private static void fromFile(Path file, Map<String, VolumeOptions.Given> given) {
        JsonNode top;
        try {
            top = YAMLMapper.builder().build().readTree(Files.readString(file));
        } catch (JacksonException e) {
            throw new VolumeSettingException(file + ": no YAML: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new VolumeSettingException("cannot read configuration file " + file + ": " + e.getMessage());
        }
        JsonNode settings = top.has("volume") ? top.get("volume") : top;
        settings.properties().forEach(entry -> {
            VolumeSetting<?> setting = VolumeSettings.all().stream()
                    .filter(known -> known.key().equals(entry.getKey()))
                    .findFirst()
                    .orElseThrow(() -> new VolumeSettingException(
                            file + ": unknown key '" + entry.getKey() + "'; tidemark volume --help lists them"));
            if (!entry.getValue().isValueNode()) {
                throw new VolumeSettingException(file + ": '" + entry.getKey() + "' expects one value");
            }
            given.put(
                    setting.variable(),
                    new VolumeOptions.Given(entry.getValue().asString(), file + ": " + setting.key()));
        });
    }
}
