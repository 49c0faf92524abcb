package io.tidemark.server.config;

import io.tidemark.server.machine.PathText;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the text of a setting is understood.
 *
 * @param form what is expected, for help and docs, for example {@code SIZE}
 * @param range which of these, for example {@code 1Mi to 64Ti}; empty: any
 * @param parser throws IllegalArgumentException that says what was wrong and what was expected
 * @param bareText what a flag without a value means; empty: it needs one
 * @param many whether it is a list: the flag may be repeated, the file may hold a list, and text has commas
 */
record ValueType<T>(String form, String range, Function<String, T> parser, Optional<String> bareText, boolean many) {
    /** Longest duration: no wait of a server is meant to last longer than a day. */
    private static final long MAX_MILLIS = 24 * 3_600_000;

    /** As people write them: what a parser of the JDK takes beyond that (hex digits, other scripts, signs) is a mistake. */
    private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9][0-9]{0,18})");

    private static final Pattern DECIMAL = Pattern.compile("-?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]{1,3})?");
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9}) ?(ms|s|m|h)");

    static final ValueType<String> TEXT = new ValueType<>("TEXT", text -> text);
    static final ValueType<Path> PATH = new ValueType<>("PATH", PathText::read);
    static final ValueType<List<Path>> PATHS =
            new ValueType<>("PATH,...", "", ValueType::parsePaths, Optional.empty(), true);
    static final ValueType<Boolean> SWITCH = new ValueType<>("true|false", ValueType::parseSwitch).orBare("true");
    static final ValueType<Long> DURATION_MILLIS = duration(0);
    /** A duration that cannot be nothing: the limit of a wait. */
    static final ValueType<Long> WAIT_MILLIS = duration(1);

    /** One value, which a flag has to give. */
    ValueType(String form, Function<String, T> parser) {
        this(form, "", parser);
    }

    private ValueType(String form, String range, Function<String, T> parser) {
        this(form, range, parser, Optional.empty(), false);
    }

    private static ValueType<Long> duration(long minMillis) {
        return new ValueType<>("DURATION", millisRange(minMillis), text -> parseMillis(text, minMillis));
    }

    private static String millisRange(long minMillis) {
        return minMillis + "ms to " + MAX_MILLIS / 3_600_000 + "h";
    }

    /** This, where a flag without a value means {@code text}. */
    ValueType<T> orBare(String text) {
        return new ValueType<>(form, range, parser, Optional.of(text), many);
    }

    /** A size between these bounds, in bytes. */
    static ValueType<Long> size(long minBytes, long maxBytes) {
        String range = ByteSize.exact(minBytes) + " to " + ByteSize.exact(maxBytes);
        return new ValueType<>("SIZE", range, text -> {
            long bytes = ByteSize.parse(text);
            if (bytes < minBytes || bytes > maxBytes) {
                throw new IllegalArgumentException(
                        "'" + text + "' is out of range; expected " + range + unitHint(text, minBytes, maxBytes));
            }
            return bytes;
        });
    }

    /** A bare number was probably meant in gigabytes, where so many are not absurd. */
    private static String unitHint(String text, long minBytes, long maxBytes) {
        String meant = text.strip() + "Gi";
        if (!text.strip().matches("[1-9]\\d{0,2}")) {
            return "";
        }
        long bytes = ByteSize.parse(meant);
        return bytes >= minBytes && bytes <= maxBytes ? "; did you mean " + meant + "?" : "";
    }

    /** A whole number between these bounds. */
    static ValueType<Integer> count(int min, int max) {
        return new ValueType<>("NUMBER", min + " to " + max, text -> {
            String expected = "expected a whole number from " + min + " to " + max;
            if (!WHOLE.matcher(text).matches()) {
                throw new IllegalArgumentException("'" + text + "' is no number; " + expected);
            }
            BigInteger number = new BigInteger(text);
            if (number.compareTo(BigInteger.valueOf(min)) < 0 || number.compareTo(BigInteger.valueOf(max)) > 0) {
                throw new IllegalArgumentException(number + " is out of range; " + expected);
            }
            return number.intValueExact();
        });
    }

    /** A share of a whole, above 0 and up to 1; also as {@code 90%}. */
    static ValueType<Double> share() {
        String range = "above 0 and up to 1";
        return new ValueType<>("SHARE", range, text -> {
            String expected = "; expected a share " + range + ", for example 0.9 or 90%";
            boolean percent = text.endsWith("%");
            String number = percent ? text.substring(0, text.length() - 1) : text;
            if (!DECIMAL.matcher(number).matches()) {
                throw new IllegalArgumentException("'" + text + "' is no share" + expected);
            }
            double share = Double.parseDouble(number) / (percent ? 100 : 1);
            if (!(share > 0 && share <= 1)) {
                throw new IllegalArgumentException("'" + text + "' is out of range" + expected);
            }
            return share;
        });
    }

    /** One of these words. */
    static ValueType<String> choice(String... words) {
        return choice(text -> Optional.empty(), words);
    }

    /** One of these words; {@code why} knows why some others are none of them. */
    static ValueType<String> choice(Function<String, Optional<String>> why, String... words) {
        List<String> known = Arrays.asList(words);
        return new ValueType<>(String.join("|", known), text -> {
            if (!known.contains(text)) {
                throw new IllegalArgumentException(
                        "'" + text + "' " + why.apply(text).orElse("is not known") + "; expected one of "
                                + String.join(", ", known) + Nearest.hint(text, known));
            }
            return text;
        });
    }

    /** Throws IllegalArgumentException when the text is no such value. */
    void check(String text) {
        Objects.requireNonNull(parser.apply(text));
    }

    private static List<Path> parsePaths(String text) {
        List<Path> paths = Arrays.stream(text.split(",", -1))
                .map(path -> PathText.read(path.strip()))
                .toList();
        Set<Path> seen = new HashSet<>();
        for (Path path : paths) {
            if (path.toString().isEmpty() || !seen.add(path.toAbsolutePath().normalize())) {
                throw new IllegalArgumentException(
                        "'" + text + "' names '" + path + "'; expected paths that differ, with commas between them");
            }
        }
        return paths;
    }

    private static boolean parseSwitch(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is no switch; expected true or false");
        };
    }

    private static long parseMillis(String text, long minMillis) {
        long millis = millis(text);
        if (millis < minMillis || millis > MAX_MILLIS) {
            throw new IllegalArgumentException("'" + text + "' is out of range; expected " + millisRange(minMillis));
        }
        return millis;
    }

    private static long millis(String text) {
        Matcher matcher = DURATION.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no duration; expected a number with ms, s, m or h, for example 200ms");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> number;
            case "s" -> number * 1_000;
            case "m" -> number * 60_000;
            default -> number * 3_600_000;
        };
    }
}
