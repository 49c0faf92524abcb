package io.tidemark.server.replay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * The bytes of a block, derived from its number: made and checked at memory speed, and different from those of every
 * other block in every word.
 *
 * <p>Word {@code i} of a 64 KiB window is {@code noise[i] ^ seed(block, window)}. The noise tells the places of a window
 * apart and the seed tells windows and blocks apart, so that misplaced, stale and foreign bytes all show.
 */
public final class BlockContent {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int WINDOW_WORDS = 8192;
    private static final long WINDOW_BYTES = WINDOW_WORDS * 8L;
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private final long[] noise =
            new SplittableRandom(GOLDEN).longs(WINDOW_WORDS).toArray();

    /** Writes the content of the block over the whole target. */
    public void fill(MemorySegment target, long block) {
        for (long offset = 0; offset < target.byteSize(); offset += WINDOW_BYTES) {
            fillWindow(target, offset, seed(block, offset));
        }
    }

    /**
     * Checks every byte of what was read.
     *
     * @return number of bytes that are not the block's
     */
    public long wrongBytes(MemorySegment got, long block) {
        long wrong = 0;
        for (long offset = 0; offset < got.byteSize(); offset += WINDOW_BYTES) {
            long seed = seed(block, offset);
            if (differs(got, offset, seed)) {
                wrong += countWrong(got, offset, seed);
            }
        }
        return wrong;
    }

    private void fillWindow(MemorySegment target, long offset, long seed) {
        int words = wordsAt(target, offset);
        for (int i = 0; i < words; i++) {
            target.set(WORD, offset + i * 8L, noise[i] ^ seed);
        }
        long end = Math.min(target.byteSize(), offset + WINDOW_BYTES);
        for (long at = offset + words * 8L; at < end; at++) {
            target.set(ValueLayout.JAVA_BYTE, at, expectedByte(at - offset, seed));
        }
    }

    private boolean differs(MemorySegment got, long offset, long seed) {
        int words = wordsAt(got, offset);
        long differences = 0;
        for (int i = 0; i < words; i++) {
            differences |= got.get(WORD, offset + i * 8L) ^ noise[i] ^ seed;
        }
        boolean bytesBehindTheWords = words < WINDOW_WORDS && got.byteSize() % 8 != 0;
        return differences != 0 || bytesBehindTheWords;
    }

    private long countWrong(MemorySegment got, long offset, long seed) {
        long wrong = 0;
        long end = Math.min(got.byteSize(), offset + WINDOW_BYTES);
        for (long at = offset; at < end; at++) {
            wrong += got.get(ValueLayout.JAVA_BYTE, at) == expectedByte(at - offset, seed) ? 0 : 1;
        }
        return wrong;
    }

    private byte expectedByte(long inWindow, long seed) {
        long word = noise[(int) (inWindow >>> 3)] ^ seed;
        return (byte) (word >>> (8 * (inWindow & 7)));
    }

    private static int wordsAt(MemorySegment segment, long offset) {
        return (int) Math.min(WINDOW_WORDS, (segment.byteSize() - offset) / 8);
    }

    /** A bijective mix of block and window (the finaliser of SplitMix64), so that no two of them share a seed. */
    private static long seed(long block, long offset) {
        long z = block * 1024 + offset / WINDOW_BYTES + GOLDEN;
        z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }
}
