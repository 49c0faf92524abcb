package io.tidemark.core.volume;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Hexadecimal digits eight at a time, in one word with the first digit in the lowest byte. Names of blocks have 64 of
 * them and are looked at once per file and walk.
 */
final class HexWords {
    /** Digits in a word. */
    static final int DIGITS = Long.BYTES;

    /** Reads a word out of an array of bytes. */
    static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private HexWords() {}

    /** Whether all eight bytes are lower-case hexadecimal digits. */
    static boolean isLowerHex(long word) {
        if ((word & HIGH_BITS) != 0) {
            return false;
        }
        long decimal = atLeast(word, '0') & ~atLeast(word, '9' + 1);
        long letter = atLeast(word, 'a') & ~atLeast(word, 'f' + 1);
        return ((decimal | letter) & HIGH_BITS) == HIGH_BITS;
    }

    /** The high bit of each byte that is at least {@code least}; all bytes below 128, so that none carries over. */
    private static long atLeast(long word, int least) {
        return word + (0x80 - least) * ONES;
    }

    /** The four bytes that eight lower-case hexadecimal digits stand for, the first in the lowest byte. */
    static int pack(long word) {
        long nibbles = (word & 0x0f * ONES) + 9 * ((word >>> 6) & ONES);
        long bytes = (nibbles << 4 | nibbles >>> 8) & 0x00ff_00ff_00ff_00ffL;
        bytes = (bytes | bytes >>> 8) & 0x0000_ffff_0000_ffffL;
        return (int) (bytes | bytes >>> 16);
    }
}
