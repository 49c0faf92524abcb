package io.tidemark.server.volume;

import java.util.Locale;

/** An age in words, in the unit that suits it. */
final class Age {
    private static final double MINUTE = 60;
    private static final double HOUR = 60 * MINUTE;
    private static final double DAY = 24 * HOUR;

    private Age() {}

    /** {@code 12.5 min}, {@code 41.0 h}, {@code 23.5 d}. */
    static String text(long seconds) {
        long age = Math.max(0, seconds);
        if (age < HOUR) {
            return String.format(Locale.ROOT, "%.1f min", age / MINUTE);
        }
        return age < 2 * DAY
                ? String.format(Locale.ROOT, "%.1f h", age / HOUR)
                : String.format(Locale.ROOT, "%.1f d", age / DAY);
    }
}
