package io.tidemark.index.policy;

/**
 * What {@code tide} keeps of a block, in a long: 0 stands for a block that it has never seen.
 *
 * <pre>  [ 32 tick of the last use, plus one | 15 low bits of the owner's hits | 1 incomplete tail | 16 uses after the first ]</pre>
 */
final class TideUse {
    static final long NEVER = 0;
    /** The class of incomplete tails. */
    static final int TAIL_CLASS = 0;

    private static final int TICK_SHIFT = 32;
    private static final int HITS_SHIFT = 17;
    private static final int HITS_MASK = 0x7FFF;
    private static final int TAIL = 1 << 16;
    private static final int REUSES_MAX = 0xFFFF;

    private TideUse() {}

    static long of(int tick, long hits, boolean tail, int reuses) {
        int low = (int) (hits & HITS_MASK) << HITS_SHIFT | (tail ? TAIL : 0) | Math.min(reuses, REUSES_MAX);
        return (tick + 1L) << TICK_SHIFT | Integer.toUnsignedLong(low);
    }

    static int tick(long use) {
        return (int) (use >>> TICK_SHIFT) - 1;
    }

    static int reuses(long use) {
        return (int) use & REUSES_MAX;
    }

    static boolean isTail(long use) {
        return ((int) use & TAIL) != 0;
    }

    /** Whether the owner counted hits since. */
    static boolean isBehind(long use, long hits) {
        return ((int) use >>> HITS_SHIFT & HITS_MASK) != (hits & HITS_MASK);
    }

    /** Incomplete tails, then blocks used again 0, 1, 2-3, 4-7 and 8 or more times. */
    static int classOf(long use) {
        if (isTail(use)) {
            return TAIL_CLASS;
        }
        int log2 = Integer.SIZE - Integer.numberOfLeadingZeros(reuses(use));
        return Math.min(log2 + 1, TideHistory.CLASSES - 1);
    }
}
