package io.tidemark.core.volume;

import java.util.Optional;

/**
 * Reads hexadecimal numbers as loosely as the crawler of old: blanks around, a sign, {@code 0x} in front, single
 * underscores between digits, digits of any script.
 */
final class LooseHex {
    private LooseHex() {}

    /** The number, or empty when the text is none. */
    static Optional<Integer> parse(String text) {
        String trimmed = text.strip();
        boolean negative = trimmed.startsWith("-");
        String unsigned = negative || trimmed.startsWith("+") ? trimmed.substring(1) : trimmed;
        boolean prefixed = unsigned.startsWith("0x") || unsigned.startsWith("0X");
        Optional<Integer> value = digits(prefixed ? unsigned.substring(2) : unsigned, prefixed);
        return negative ? value.map(number -> -number) : value;
    }

    private static Optional<Integer> digits(String text, boolean mayStartWithUnderscore) {
        int value = 0;
        boolean afterDigit = mayStartWithUnderscore;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int digit = Character.digit(c, 16);
            if (c == '_' && afterDigit) {
                afterDigit = false;
            } else if (digit >= 0) {
                value = value * 16 + digit;
                afterDigit = true;
            } else {
                return Optional.empty();
            }
        }
        return afterDigit && !text.isEmpty() ? Optional.of(value) : Optional.empty();
    }
}
