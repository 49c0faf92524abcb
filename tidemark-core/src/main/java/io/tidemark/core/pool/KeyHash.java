package io.tidemark.core.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Hash of a key for the index. Keys with equal hashes are told apart by their bytes, so that a poor hash costs time
 * and never an answer. Nothing persisted or shared depends on it.
 */
interface KeyHash {
    long hash(byte[] key);

    /** Hash of the key that these bytes of an array are. */
    default long hash(byte[] bytes, int from, int to) {
        return hash(Arrays.copyOfRange(bytes, from, to));
    }

    /** A hash with 64 good bits, seeded so that clients cannot aim at one stripe. */
    static KeyHash seeded(long seed) {
        return new Folded(seed);
    }

    /** Folds eight bytes at a time through a 128-bit product. */
    record Folded(long seed) implements KeyHash {
        private static final VarHandle LONGS =
                MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
        private static final long ODD_A = 0x9E3779B97F4A7C15L;
        private static final long ODD_B = 0xD6E8FEB86659FD93L;

        @Override
        public long hash(byte[] key) {
            return hash(key, 0, key.length);
        }

        @Override
        public long hash(byte[] bytes, int from, int to) {
            long state = fold(seed ^ ODD_A, to - from + ODD_B);
            int at = from;
            for (; at + Long.BYTES <= to; at += Long.BYTES) {
                state = fold(state ^ (long) LONGS.get(bytes, at), ODD_A);
            }
            long rest = 0;
            for (; at < to; at++) {
                rest = (rest << Byte.SIZE) | (bytes[at] & 0xFF);
            }
            return fold(state ^ rest, ODD_B);
        }

        private static long fold(long a, long b) {
            long product = (a * b) ^ Math.unsignedMultiplyHigh(a, b);
            return product ^ (product >>> 32);
        }
    }
}
