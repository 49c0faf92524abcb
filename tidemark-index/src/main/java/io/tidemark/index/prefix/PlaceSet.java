package io.tidemark.index.prefix;

import java.util.Arrays;

/**
 * A set of small numbers that knows its least member: bits, and for each word of bits a bit in the level above that
 * says whether the word has any. So the least member is found, and a member comes and goes, in one step a level.
 */
final class PlaceSet {
    private static final int LEVELS = 5;
    private static final int WORD_BITS = 6;
    private static final int WORD = 1 << WORD_BITS;
    private static final int MASK = WORD - 1;

    /** The members first, one word on top. */
    private final long[][] levels = new long[LEVELS][1];

    /** Makes room for numbers below {@code bound}; the set keeps its members. */
    void grow(int bound) {
        int words = bound;
        for (int level = 0; level < LEVELS; level++) {
            words = (words + MASK) >>> WORD_BITS;
            if (words > levels[level].length) {
                levels[level] = Arrays.copyOf(levels[level], words);
            }
        }
    }

    boolean has(int number) {
        return (levels[0][number >>> WORD_BITS] >>> number & 1) != 0;
    }

    void add(int number) {
        int at = number;
        for (long[] words : levels) {
            long before = words[at >>> WORD_BITS];
            words[at >>> WORD_BITS] = before | 1L << at;
            if (before != 0) {
                return;
            }
            at >>>= WORD_BITS;
        }
    }

    void remove(int number) {
        keep(number >>> WORD_BITS, ~(1L << number));
    }

    /** The least member, or {@link Nodes#NONE}. */
    int first() {
        if (levels[LEVELS - 1][0] == 0) {
            return Nodes.NONE;
        }
        int at = 0;
        for (int level = LEVELS - 1; level >= 0; level--) {
            at = (at << WORD_BITS) + Long.numberOfTrailingZeros(levels[level][at]);
        }
        return at;
    }

    /** Takes out all members below {@code bound}, a word of them at a time; answers how many there were. */
    int removeBelow(int bound) {
        int removed = 0;
        for (int at = first(); at != Nodes.NONE && at < bound; at = first()) {
            int word = at >>> WORD_BITS;
            long kept = word < bound >>> WORD_BITS ? 0 : -1L << bound;
            removed += Long.bitCount(levels[0][word] & ~kept);
            keep(word, kept);
        }
        return removed;
    }

    private void keep(int word, long kept) {
        int at = word;
        long mask = kept;
        for (int level = 0; level < LEVELS; level++) {
            levels[level][at] &= mask;
            if (levels[level][at] != 0) {
                return;
            }
            mask = ~(1L << at);
            at >>>= WORD_BITS;
        }
    }
}
