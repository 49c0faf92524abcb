package io.tidemark.server.volume;

import io.tidemark.server.config.ByteSize;
import io.tidemark.server.machine.PathText;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Forms of setting values. Numbers are read as the evictor of old reads them: {@code 8.0} is 8. */
final class Forms {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})([smhd])");

    private static final int PORT_MAX = 65_535;
    private static final String HOST = "(\\[[^\\]\\s]+]|[^:/\\s\\[\\]]+)";
    private static final Pattern ENDPOINT = Pattern.compile("tcp://" + HOST + ":(\\*|(?<port>\\d{1,5}))|ipc://.+");
    private static final Pattern ADDRESS = Pattern.compile(HOST + ":(?<port>\\d{1,5})");

    private Forms() {}

    /** The name of a file or folder. */
    static VolumeSetting<String> path(String variable, String byDefault, String meaning) {
        return new VolumeSetting<>(
                variable, byDefault, "a path in the characters of this locale", Forms::path, meaning);
    }

    private static String path(String text) {
        PathText.read(text);
        return text;
    }

    /** {@code tcp://HOST:PORT} or {@code ipc://PATH}; empty for none. */
    static VolumeSetting<String> endpoint(String variable, String meaning) {
        return new VolumeSetting<>(
                variable,
                "",
                "tcp://HOST:PORT or ipc://PATH, or nothing",
                text -> text.isEmpty() ? text : matched(text, ENDPOINT),
                meaning);
    }

    /** {@code HOST:PORT}; empty for none. */
    static VolumeSetting<String> address(String variable, String byDefault, String meaning) {
        return new VolumeSetting<>(
                variable,
                byDefault,
                "HOST:PORT with a port up to " + PORT_MAX + ", or nothing",
                text -> text.isEmpty() ? text : matched(text, ADDRESS),
                meaning);
    }

    private static String matched(String text, Pattern form) {
        Matcher matcher = form.matcher(text);
        boolean portFits = matcher.matches()
                && (matcher.group("port") == null || Integer.parseInt(matcher.group("port")) <= PORT_MAX);
        if (!portFits) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    static VolumeSetting<Boolean> truth(String variable, boolean byDefault, String meaning) {
        return new VolumeSetting<>(variable, String.valueOf(byDefault), "true or false", Forms::truth, meaning);
    }

    private static boolean truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    static VolumeSetting<Double> number(String variable, String byDefault, double min, double max, String meaning) {
        return new VolumeSetting<>(
                variable,
                byDefault,
                "a number from " + plain(min) + " to " + plain(max),
                text -> within(Double.parseDouble(text), min, max),
                meaning);
    }

    static VolumeSetting<Integer> count(String variable, String byDefault, int min, int max, String meaning) {
        return new VolumeSetting<>(
                variable,
                byDefault,
                "a whole number from " + min + " to " + max,
                text -> (int) within(Math.floor(Double.parseDouble(text)), min, max),
                meaning);
    }

    /** A power of 2; what is another number is refused in the words of the evictor of old. */
    static VolumeSetting<Integer> powerOfTwo(String variable, String byDefault, int max, String meaning) {
        return new VolumeSetting<>(
                variable,
                byDefault,
                "a power of 2 from 1 to " + max,
                text -> {
                    double value = Double.parseDouble(text);
                    int whole = (int) value;
                    if (!Double.isNaN(value) && !(whole >= 1 && whole <= max && Integer.bitCount(whole) == 1)) {
                        throw new VolumeSettingException(
                                variable + " must be a power of 2 from 1 to " + max + ", got " + whole);
                    }
                    return (int) within(whole, 1, max);
                },
                meaning);
    }

    static VolumeSetting<String> choice(String variable, String byDefault, List<String> words, String meaning) {
        return new VolumeSetting<>(
                variable, byDefault, "one of " + String.join(", ", words), text -> oneOf(text, words), meaning);
    }

    private static String oneOf(String text, List<String> words) {
        return words.stream()
                .filter(word -> word.equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(IllegalArgumentException::new);
    }

    /** {@code name=value, name=value}. */
    static VolumeSetting<Map<String, Long>> perModel(
            String variable, String form, Function<String, Long> value, String meaning) {
        return new VolumeSetting<>(variable, "", form, text -> map(text, value), meaning);
    }

    private static Map<String, Long> map(String text, Function<String, Long> value) {
        Map<String, Long> map = new LinkedHashMap<>();
        for (String pair : Arrays.asList(text.split(",", -1))) {
            int equals = pair.lastIndexOf('=');
            if (!pair.isBlank() && equals <= 0) {
                throw new IllegalArgumentException(pair);
            }
            if (!pair.isBlank()) {
                map.put(
                        pair.substring(0, equals).strip(),
                        value.apply(pair.substring(equals + 1).strip()));
            }
        }
        return map;
    }

    /** Seconds of {@code 30s}, {@code 12h}, {@code 7d}. */
    static long seconds(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text);
        }
        long unit = switch (matcher.group(2)) {
            case "s" -> 1;
            case "m" -> 60;
            case "h" -> 3600;
            default -> 86400;
        };
        return Long.parseLong(matcher.group(1)) * unit;
    }

    static long bytes(String text) {
        return ByteSize.parse(text);
    }

    private static double within(double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
