package io.tidemark.server.http;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.HexFormat;
import java.util.List;

/**
 * Writes records of strings, numbers, names of enums, lists of these and such records as {@link Json#write} does, without the
 * library, which takes a good part of a start, or a quarter of a second of the first request, to make.
 */
public final class PlainJson {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private PlainJson() {}

    /**
     * A record as one line.
     *
     * @throws IllegalArgumentException for a part of another kind
     */
    public static String write(Record value) {
        StringBuilder line = new StringBuilder(256);
        append(line, value);
        return line.toString();
    }

    @SuppressWarnings("IfChainToSwitch") // the JVM makes a class for a switch over types, at run time
    private static void append(StringBuilder line, Object value) {
        if (value instanceof String text) {
            appendText(line, text);
        } else if (value instanceof Long
                || value instanceof Integer
                || (value instanceof Double number && Double.isFinite(number))) {
            line.append(value);
        } else if (value instanceof Enum<?> constant) {
            appendText(line, constant.name());
        } else if (value instanceof List<?> list) {
            appendList(line, list);
        } else if (value instanceof Record parts) {
            appendRecord(line, parts);
        } else {
            throw new IllegalArgumentException(
                    value.getClass() + "; expected strings, finite numbers, enums, lists and records");
        }
    }

    private static void appendList(StringBuilder line, List<?> list) {
        line.append('[');
        for (Object value : list) {
            append(line, value);
            line.append(',');
        }
        end(line, ']');
    }

    private static void appendRecord(StringBuilder line, Record parts) {
        line.append('{');
        for (RecordComponent part : parts.getClass().getRecordComponents()) {
            appendText(line, snakeCase(part.getName()));
            line.append(':');
            append(line, valueOf(part, parts));
            line.append(',');
        }
        end(line, '}');
    }

    /** In the place of the last comma, if there is one. */
    private static void end(StringBuilder line, char bracket) {
        int last = line.length() - 1;
        line.setLength(line.charAt(last) == ',' ? last : last + 1);
        line.append(bracket);
    }

    private static Object valueOf(RecordComponent part, Record parts) {
        try {
            Method accessor = part.getAccessor();
            accessor.setAccessible(true); // of a record that is not public
            return accessor.invoke(parts);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("cannot read " + part, e);
        }
    }

    private static String snakeCase(String name) {
        StringBuilder snake = new StringBuilder(name.length() + 2);
        for (int i = 0; i < name.length(); i++) {
            char letter = name.charAt(i);
            boolean begins = Character.isUpperCase(letter);
            snake.append(begins ? "_" : "").append(begins ? Character.toLowerCase(letter) : letter);
        }
        return snake.toString();
    }

    private static void appendText(StringBuilder line, String text) {
        line.append('"');
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            switch (letter) {
                case '"', '\\' -> line.append('\\').append(letter);
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                case '\b' -> line.append("\\b");
                case '\f' -> line.append("\\f");
                default -> {
                    if (letter < ' ') {
                        line.append("\\u").append(HEX.toHexDigits(letter));
                    } else {
                        line.append(letter);
                    }
                }
            }
        }
        line.append('"');
    }
}
