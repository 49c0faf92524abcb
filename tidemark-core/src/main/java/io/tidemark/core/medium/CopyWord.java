package io.tidemark.core.medium;

/**
 * State, pins and generation of one slot in a long:
 *
 * <pre>  [ 32 generation | 5 unused | 24 pins | 3 state ]</pre>
 *
 * <p>The all-zero word of a slot that was never used reads as RESERVED of generation 0, which no handle names.
 */
final class CopyWord {
    static final int PINS_MAX = (1 << 24) - 1;

    private static final int PIN_SHIFT = 3;
    private static final long STATE_MASK = 0b111;

    private CopyWord() {}

    static long of(int generation, int pins, CopyState state) {
        return ((long) generation << 32) | ((long) pins << PIN_SHIFT) | code(state);
    }

    static int generation(long word) {
        return (int) (word >>> 32);
    }

    static int pins(long word) {
        return (int) (word >>> PIN_SHIFT) & PINS_MAX;
    }

    static CopyState state(long word) {
        return switch ((int) (word & STATE_MASK)) {
            case 0 -> CopyState.RESERVED;
            case 1 -> CopyState.COMMITTED;
            case 2 -> CopyState.MOVING;
            case 3 -> CopyState.DOOMED;
            default -> CopyState.FREED;
        };
    }

    static long withState(long word, CopyState state) {
        return (word & ~STATE_MASK) | code(state);
    }

    static long pinned(long word) {
        return word + (1L << PIN_SHIFT);
    }

    static long unpinned(long word) {
        return word - (1L << PIN_SHIFT);
    }

    /** Committed and without a pin: what may be moved, and, leases aside, dropped. */
    static boolean evictable(long word) {
        return state(word) == CopyState.COMMITTED && pins(word) == 0;
    }

    private static int code(CopyState state) {
        return switch (state) {
            case RESERVED -> 0;
            case COMMITTED -> 1;
            case MOVING -> 2;
            case DOOMED -> 3;
            case FREED -> 4;
        };
    }
}
