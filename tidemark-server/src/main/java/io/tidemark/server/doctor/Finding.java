package io.tidemark.server.doctor;

import java.util.Locale;

/**
 * What one check found.
 *
 * @param check name of what was looked at
 * @param found what there is, in a few words
 * @param advice what to do about it; empty when all is well
 */
public record Finding(String check, Level level, String found, String advice) {
    /** How bad it is. */
    public enum Level {
        /** As it should be. */
        OK,
        /** Works, but worse than it could, or not for long. */
        WARN,
        /** A start fails, or a server that runs does not serve. */
        FAIL;

        /** For people and JSON. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding ok(String check, String found) {
        return new Finding(check, Level.OK, found, "");
    }

    static Finding warn(String check, String found, String advice) {
        return new Finding(check, Level.WARN, found, advice);
    }

    static Finding fail(String check, String found, String advice) {
        return new Finding(check, Level.FAIL, found, advice);
    }
}
