package io.tidemark.server.resp.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Collects one line, up to LF, from input that may be cut anywhere. Memory follows what has come, up to a bound. */
final class Line {
    private static final int FIRST_BYTES = 64;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;

    /** How a line stands after some input. */
    enum Progress {
        PARTIAL,
        COMPLETE,
        TOO_LONG
    }

    /** Takes bytes up to and with the LF. A line of more than {@code maxBytes} bytes is TOO_LONG. */
    Progress collect(ByteBuffer in, int maxBytes) {
        while (in.hasRemaining()) {
            byte next = in.get();
            if (next == '\n') {
                return Progress.COMPLETE;
            }
            if (length == maxBytes) {
                return Progress.TOO_LONG;
            }
            append(next);
        }
        return Progress.PARTIAL;
    }

    private void append(byte next) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, length * 2);
        }
        bytes[length++] = next;
    }

    /** Whether the line ends in CR, as a length line has to. */
    boolean endsInCr() {
        return length > 0 && bytes[length - 1] == '\r';
    }

    /** The line without its CR. */
    byte[] content() {
        return Arrays.copyOf(bytes, endsInCr() ? length - 1 : length);
    }

    /** The number written in {@code [from, end)} without the CR; {@link Numbers#NOT_A_NUMBER} when there is none. */
    long number(int from) {
        return Numbers.parse(bytes, from, endsInCr() ? length - 1 : length);
    }

    /** First byte, or 0 of an empty line. */
    byte first() {
        return length == 0 ? 0 : bytes[0];
    }

    void clear() {
        length = 0;
        if (bytes.length > FIRST_BYTES) {
            bytes = new byte[FIRST_BYTES];
        }
    }
}
