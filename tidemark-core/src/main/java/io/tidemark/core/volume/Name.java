package io.tidemark.core.volume;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A view of the bytes of one name, in place in an array that holds a listing or a path. Names are bytes: they are decoded
 * for people only. The view is moved from entry to entry by its owner; whoever wants to keep a name copies it.
 *
 * <p>The bytes lie on the heap: a walk looks at each of them, and the better part of its processor time was once spent on
 * access to memory outside of it.
 */
public final class Name {
    private byte[] bytes;
    private int start;
    private int length;

    private Name(byte[] bytes, int start, int length) {
        this.bytes = bytes;
        this.start = start;
        this.length = length;
    }

    /** A view of nothing, to be moved. */
    static Name empty() {
        return new Name(new byte[0], 0, 0);
    }

    /** A view of the UTF-8 bytes of a string. */
    public static Name of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A view of bytes. */
    public static Name of(byte[] bytes) {
        return new Name(bytes, 0, bytes.length);
    }

    /** A view of the bytes from {@code from} up to {@code to}. */
    static Name of(byte[] bytes, int from, int to) {
        return new Name(bytes, from, to - from);
    }

    void moveTo(byte[] newBytes, int newStart, int newLength) {
        bytes = newBytes;
        start = newStart;
        length = newLength;
    }

    int length() {
        return length;
    }

    byte byteAt(int index) {
        return bytes[start + index];
    }

    /** The eight bytes from {@code index} on, the first one lowest. */
    long wordAt(int index) {
        return (long) HexWords.WORD.get(bytes, start + index);
    }

    boolean endsWith(byte[] suffix) {
        if (length < suffix.length) {
            return false;
        }
        for (int i = 0; i < suffix.length; i++) {
            if (byteAt(length - suffix.length + i) != suffix[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether the bytes from {@code from} up to {@code to} are all lower-case hexadecimal digits. */
    boolean isLowerHex(int from, int to) {
        int whole = from;
        while (whole + HexWords.DIGITS <= to) {
            if (!HexWords.isLowerHex(wordAt(whole))) {
                return false;
            }
            whole += HexWords.DIGITS;
        }
        for (int i = whole; i < to; i++) {
            if (lowerHex(byteAt(i)) < 0) {
                return false;
            }
        }
        return to > from;
    }

    /** Whether the bytes from {@code from} to the end are decimal digits, at least one. */
    boolean isDecimal(int from) {
        for (int i = from; i < length; i++) {
            if (byteAt(i) < '0' || byteAt(i) > '9') {
                return false;
            }
        }
        return length > from;
    }

    /** Number of leading lower-case hexadecimal digits. */
    int leadingHex() {
        int i = 0;
        while (i < length && lowerHex(byteAt(i)) >= 0) {
            i++;
        }
        return i;
    }

    /** Value of a lower-case hexadecimal digit, or -1. */
    static int lowerHex(byte digit) {
        if (digit >= '0' && digit <= '9') {
            return digit - '0';
        }
        return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
    }

    byte[] toBytes() {
        return Arrays.copyOfRange(bytes, start, start + length);
    }

    /** Copies the bytes to a place in another array. */
    void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, start, target, at, length);
    }

    /** The bytes as Latin-1: nothing is lost, and nobody is to read it. */
    String toLatin1() {
        return new String(toBytes(), StandardCharsets.ISO_8859_1);
    }

    /** The name for people: bytes that are not UTF-8 are replaced. */
    @Override
    public String toString() {
        return new String(toBytes(), StandardCharsets.UTF_8);
    }
}
