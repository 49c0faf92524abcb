package io.tidemark.server.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes in bytes as people write them: {@code 4096}, {@code 64Mi}, {@code 64MiB}, {@code 1.5Gi}, {@code 16GB}. */
public final class ByteSize {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,6})?) ?([KMGTP]?)(i?)(B?)");
    private static final Pattern ANY_CASE = Pattern.compile("(?i)([0-9]{1,18}(?:\\.[0-9]{1,6})?) ?([kmgtp])(i?)(b?)");
    private static final String UNITS = "KMGTP";

    private ByteSize() {}

    /**
     * Reads a size. {@code Ki Mi Gi Ti Pi} are powers of 1024, {@code K M G T P} powers of 1000; a trailing {@code B}
     * is allowed.
     *
     * @throws IllegalArgumentException when it is no size, negative, or beyond 2^63 - 1 bytes
     */
    public static long parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()
                || (matcher.group(2).isEmpty() && !matcher.group(3).isEmpty())) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no size; expected bytes, or for example 64Mi or 16Gi" + caseHint(text));
        }
        double unit = unitBytes(matcher.group(2), !matcher.group(3).isEmpty());
        double bytes = Double.parseDouble(matcher.group(1)) * unit;
        if (bytes >= 0x1p63) {
            throw new IllegalArgumentException("'" + text + "' is too large; expected less than 8Ei bytes");
        }
        boolean whole = matcher.group(1).indexOf('.') < 0;
        return whole ? Math.multiplyExact(Long.parseLong(matcher.group(1)), (long) unit) : (long) bytes;
    }

    /** {@code 16gi} and {@code 16GB} in other letters: nothing else can be meant. */
    private static String caseHint(String text) {
        Matcher matcher = ANY_CASE.matcher(text.strip());
        return matcher.matches()
                ? "; did you mean '" + matcher.group(1) + matcher.group(2).toUpperCase(Locale.ROOT)
                        + matcher.group(3).toLowerCase(Locale.ROOT)
                        + matcher.group(4).toUpperCase(Locale.ROOT) + "'?"
                : "";
    }

    private static double unitBytes(String letter, boolean binary) {
        int power = letter.isEmpty() ? 0 : UNITS.indexOf(letter) + 1;
        return Math.pow(binary ? 1024 : 1000, power);
    }

    /** Writes a size exactly, in the largest binary unit that divides it: {@code 64Mi}, {@code 4097}. */
    public static String exact(long bytes) {
        int power = 0;
        long rest = bytes;
        while (rest != 0 && rest % 1024 == 0 && power < UNITS.length()) {
            rest /= 1024;
            power++;
        }
        return power == 0 ? Long.toString(rest) : rest + UNITS.substring(power - 1, power) + "i";
    }

    /** Writes a size for people, to one decimal: {@code 1.5 GiB}. */
    public static String rounded(long bytes) {
        int power = 0;
        double rest = bytes;
        while (rest >= 1024 && power < UNITS.length()) {
            rest /= 1024;
            power++;
        }
        return power == 0
                ? bytes + " B"
                : String.format(Locale.ROOT, "%.1f %siB", rest, UNITS.substring(power - 1, power));
    }
}
