package io.tidemark.server.doctor;

import java.util.Locale;
import java.util.Optional;

/** Sizes as flags of the JVM write them: {@code 512m}, {@code 4g}. */
final class JvmSize {
    private static final String UNITS = "kmgt";
    private static final int BITS_PER_UNIT = 10;

    private JvmSize() {}

    /** The size in bytes; empty when it is none. */
    static Optional<Long> parse(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        if (!lower.matches("\\d{1,9}[kmgt]?")) {
            return Optional.empty();
        }
        int unit = UNITS.indexOf(lower.charAt(lower.length() - 1)) + 1;
        String digits = unit == 0 ? lower : lower.substring(0, lower.length() - 1);
        return Optional.of(Long.parseLong(digits) << (BITS_PER_UNIT * unit));
    }
}
