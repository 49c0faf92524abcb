package io.tidemark.server.config;

import java.util.Locale;
import java.util.Optional;

/**
 * One setting: how it is named in the file, the environment and on the command line, and what it means. Help, docs,
 * parsing and {@code config show} are all derived from it.
 *
 * @param key path in the file, for example {@code dram.capacity}
 * @param flag the flag, with its dashes
 * @param defaultText what holds when nothing is given; empty: no value
 */
public record Setting<T>(String key, String flag, String defaultText, ValueType<T> type, String meaning) {
    /** Name of the environment variable. */
    public String variable() {
        return "TIDEMARK_" + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /** What the flag means without a value; empty: it needs one. */
    public Optional<String> bareText() {
        return type.bareText();
    }

    /** Whether the flag may be repeated. */
    public boolean many() {
        return type.many();
    }

    /** Which values are taken, for example {@code 1Mi to 64Ti}; empty: the form says it. */
    public String range() {
        return type.range();
    }

    /** What is expected as a value, for help, for example {@code SIZE}. */
    public String form() {
        return type.form();
    }
}
