package io.tidemark.server.resp.protocol;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Splits an inline command into words as Redis does: blanks separate; double quotes take {@code \n \r \t \b \a \xHH}
 * and {@code \c}; single quotes take {@code \'}; a closing quote ends its word.
 */
final class InlineSplitter {
    private final byte[] line;
    private final List<byte[]> words = new ArrayList<>();
    private int at;

    private InlineSplitter(byte[] line) {
        this.line = line;
    }

    /** The words of a line; empty when its quotes do not match. */
    static Optional<List<byte[]>> split(byte[] line) {
        InlineSplitter splitter = new InlineSplitter(line);
        while (splitter.skipBlanks()) {
            if (!splitter.word()) {
                return Optional.empty();
            }
        }
        return Optional.of(splitter.words);
    }

    private boolean skipBlanks() {
        while (at < line.length && isBlank(line[at])) {
            at++;
        }
        return at < line.length;
    }

    private boolean word() {
        ByteArrayOutputStream word = new ByteArrayOutputStream();
        while (at < line.length && !isBlank(line[at])) {
            byte next = line[at++];
            if (next != '"' && next != '\'') {
                word.write(next);
            } else if (!quoted(next, word)) {
                return false;
            } else {
                break;
            }
        }
        words.add(word.toByteArray());
        return true;
    }

    /** Takes bytes up to the closing quote, which has to be followed by a blank or the end. */
    private boolean quoted(byte quote, ByteArrayOutputStream word) {
        while (at < line.length) {
            byte next = line[at++];
            if (next == quote) {
                return at == line.length || isBlank(line[at]);
            }
            if (next != '\\' || at == line.length) {
                word.write(next);
            } else if (quote == '"') {
                word.write(escaped());
            } else {
                word.write(line[at] == '\'' ? line[at++] : next);
            }
        }
        return false;
    }

    private int escaped() {
        byte next = line[at++];
        if (next == 'x' && at + 1 < line.length && hex(line[at]) >= 0 && hex(line[at + 1]) >= 0) {
            at += 2;
            return (hex(line[at - 2]) << 4) | hex(line[at - 1]);
        }
        return switch (next) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'a' -> 7;
            default -> next;
        };
    }

    private static int hex(byte digit) {
        return Character.digit(digit, 16);
    }

    private static boolean isBlank(byte value) {
        return value == ' ' || (value >= '\t' && value <= '\r') || value == 0;
    }
}
