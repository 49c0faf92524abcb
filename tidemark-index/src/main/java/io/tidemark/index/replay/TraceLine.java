package io.tidemark.index.replay;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * The lines of a {@code .jsonl} trace, one at a time, parsed as bytes pass by. Knows just enough JSON: one object a
 * line, the three members that matter, and how to skip any other value.
 */
final class TraceLine {
    private static final int END_OF_FILE = -1;

    private final InputStream in;
    private final String where;
    private final byte[] buffer = new byte[1 << 16];
    private int position;
    private int limit;
    private int current;
    private long lineNumber = 1;
    private int column;

    private long[] ids = new long[256];
    private int idCount;
    private boolean idsSeen;
    private long timestampMillis;
    private OptionalInt inputTokens = OptionalInt.empty();

    TraceLine(InputStream in, String where) throws IOException {
        this.in = in;
        this.where = where;
        advance();
    }

    /** Parses the next line that is not blank; false at the end of the file. */
    boolean next() throws IOException {
        skipBlank(true);
        if (current == END_OF_FILE) {
            return false;
        }
        idCount = 0;
        idsSeen = false;
        timestampMillis = 0;
        inputTokens = OptionalInt.empty();
        object();
        skipBlank(false);
        if (current != '\n' && current != END_OF_FILE) {
            throw error("expected the end of the line after the object");
        }
        if (!idsSeen) {
            throw error("the object has no member hash_ids");
        }
        return true;
    }

    int blocks() {
        return idCount;
    }

    long blockId(int index) {
        return ids[index];
    }

    long timestampMillis() {
        return timestampMillis;
    }

    OptionalInt inputTokens() {
        return inputTokens;
    }

    private void object() throws IOException {
        expect('{');
        skipBlank(false);
        if (current == '}') {
            advance();
            return;
        }
        while (true) {
            skipBlank(false);
            String name = string();
            skipBlank(false);
            expect(':');
            skipBlank(false);
            member(name);
            skipBlank(false);
            if (current == '}') {
                advance();
                return;
            }
            expect(',');
        }
    }

    private void member(String name) throws IOException {
        switch (name) {
            case "timestamp" -> timestampMillis = (long) number();
            case "input_length" -> inputTokens = OptionalInt.of(tokens());
            case "hash_ids" -> ids();
            default -> skipValue();
        }
    }

    private void ids() throws IOException {
        idsSeen = true;
        expect('[');
        skipBlank(false);
        while (current != ']') {
            if (idCount == ids.length) {
                ids = Arrays.copyOf(ids, idCount * 2);
            }
            ids[idCount++] = integer();
            skipBlank(false);
            if (current != ']') {
                expect(',');
                skipBlank(false);
            }
        }
        advance();
    }

    private int tokens() throws IOException {
        long tokens = integer();
        if (tokens < 0 || tokens > Integer.MAX_VALUE) {
            throw error("expected a number of tokens from 0 to " + Integer.MAX_VALUE + ", got " + tokens);
        }
        return (int) tokens;
    }

    private long integer() throws IOException {
        boolean negative = current == '-';
        if (negative) {
            advance();
        }
        if (!isDigit()) {
            throw error("expected an integer");
        }
        long value = 0;
        while (isDigit()) {
            if (value > (Long.MAX_VALUE - (current - '0')) / 10) {
                throw error("the integer does not fit into 64 bits");
            }
            value = value * 10 + (current - '0');
            advance();
        }
        return negative ? -value : value;
    }

    /** A number that may have a fraction or an exponent. */
    private double number() throws IOException {
        StringBuilder digits = new StringBuilder();
        while (isDigit() || "+-.eE".indexOf(current) >= 0) {
            digits.append((char) current);
            advance();
        }
        try {
            return Double.parseDouble(digits.toString());
        } catch (NumberFormatException e) {
            throw error("expected a number, got '" + digits + "'");
        }
    }

    private String string() throws IOException {
        expect('"');
        StringBuilder text = new StringBuilder();
        while (current != '"') {
            if (current == '\n' || current == END_OF_FILE) {
                throw error("a string has no end");
            }
            if (current == '\\') {
                advance();
            }
            text.append((char) current);
            advance();
        }
        advance();
        return text.toString();
    }

    private void skipValue() throws IOException {
        if (isValueEnd()) {
            throw error("expected a value");
        }
        int nested = 0;
        do {
            skipBlank(false);
            switch (current) {
                case '"' -> string();
                case '{', '[' -> {
                    nested++;
                    advance();
                }
                case '}', ']' -> {
                    nested--;
                    advance();
                }
                case '\n', END_OF_FILE -> throw error("the line ends inside a value");
                default -> advance();
            }
        } while (nested > 0 || !isValueEnd());
    }

    private boolean isValueEnd() {
        return current == ',' || current == '}' || current == '\n' || current == END_OF_FILE;
    }

    private boolean isDigit() {
        return current >= '0' && current <= '9';
    }

    private void skipBlank(boolean overLines) throws IOException {
        while (current == ' ' || current == '\t' || current == '\r' || (overLines && current == '\n')) {
            advance();
        }
    }

    private void expect(char wanted) throws IOException {
        if (current != wanted) {
            throw error("expected '" + wanted + "'");
        }
        advance();
    }

    private void advance() throws IOException {
        if (current == '\n') {
            lineNumber++;
            column = 0;
        }
        column++;
        if (position == limit) {
            limit = Math.max(in.read(buffer), 0);
            position = 0;
            if (limit == 0) {
                current = END_OF_FILE;
                return;
            }
        }
        current = buffer[position++] & 0xFF;
    }

    private TraceFormatException error(String what) {
        String got = current == END_OF_FILE ? "the end of the file" : "'" + (char) current + "'";
        return new TraceFormatException(where, lineNumber, column, what + ", at " + got);
    }
}
