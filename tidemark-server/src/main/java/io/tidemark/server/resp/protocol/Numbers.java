package io.tidemark.server.resp.protocol;

/** Decimal integers as Redis reads them: an optional minus, no plus, no blanks, no leading zero, within 64 bits. */
public final class Numbers {
    /** Stands for "no number"; the one 64-bit value that cannot be written in a request. */
    public static final long NOT_A_NUMBER = Long.MIN_VALUE;

    private Numbers() {}

    /** The number in the whole of {@code text}, or {@link #NOT_A_NUMBER}. */
    public static long parse(byte[] text) {
        return parse(text, 0, text.length);
    }

    /** The number in {@code [from, to)}, or {@link #NOT_A_NUMBER}. */
    static long parse(byte[] text, int from, int to) {
        boolean negative = from < to && text[from] == '-';
        int first = negative ? from + 1 : from;
        if (first >= to || to - first > 19 || (text[first] == '0' && (negative || to - first > 1))) {
            return NOT_A_NUMBER;
        }
        long value = 0;
        for (int i = first; i < to; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
                return NOT_A_NUMBER;
            }
            value = value * 10 + digit;
        }
        return negative ? -value : value;
    }
}
