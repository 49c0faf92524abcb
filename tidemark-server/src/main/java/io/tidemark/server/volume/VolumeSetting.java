package io.tidemark.server.volume;

import java.util.Locale;
import java.util.function.Function;

/**
 * One setting of the volume evictor.
 *
 * @param variable name of the environment variable, for example {@code CLEANUP_THRESHOLD}; the key in the file and the
 *     flag follow from it
 * @param defaultText what holds when nothing is given
 * @param form what is expected, for help and messages
 * @param parser throws IllegalArgumentException when the text is not of that form
 */
record VolumeSetting<T>(String variable, String defaultText, String form, Function<String, T> parser, String meaning) {
    /** Key in the YAML file: {@code cleanup-threshold}. */
    String key() {
        return variable.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The flag: {@code --cleanup-threshold}. */
    String flag() {
        return "--" + key();
    }

    /**
     * Reads a value.
     *
     * @param origin where the text stands, for the message: {@code CLEANUP_THRESHOLD}, {@code file.yaml:3}
     */
    T parse(String text, String origin) {
        try {
            return parser.apply(text.strip());
        } catch (IllegalArgumentException e) {
            throw new VolumeSettingException(origin + "='" + text + "': expected " + form);
        }
    }
}
