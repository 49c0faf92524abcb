package io.tidemark.core.volume;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * A view of the bytes of one name, in place in a buffer of directory entries. Names are bytes: they are decoded for
 * people only. The view is moved from entry to entry by its owner; whoever wants to keep a name copies it.
 */
public final class Name {
    private MemorySegment buffer;
    private long offset;
    private int length;

    private Name(MemorySegment buffer, long offset, int length) {
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
    }

    /** A view of nothing, to be moved. */
    static Name empty() {
        return new Name(MemorySegment.NULL, 0, 0);
    }

    /** A view of the UTF-8 bytes of a string. */
    public static Name of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A view of bytes. */
    public static Name of(byte[] bytes) {
        return new Name(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    void moveTo(MemorySegment newBuffer, long newOffset, int newLength) {
        buffer = newBuffer;
        offset = newOffset;
        length = newLength;
    }

    MemorySegment buffer() {
        return buffer;
    }

    long offset() {
        return offset;
    }

    int length() {
        return length;
    }

    byte byteAt(int index) {
        return buffer.get(ValueLayout.JAVA_BYTE, offset + index);
    }

    /** The eight bytes from {@code index} on, the first one lowest. */
    long wordAt(int index) {
        return buffer.get(HexWords.WORD, offset + index);
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
        byte[] bytes = new byte[length];
        MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return bytes;
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
