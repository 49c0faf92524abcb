package io.tidemark.index.policy;

/** How the flat arrays grow: by half, so that their cost per node stays constant. */
final class Growth {
    private Growth() {}

    /** A length that holds {@code index}, at least half as much again as now. */
    static int lengthFor(int index, int length) {
        if (index < 0) {
            throw new IllegalArgumentException("node ids start at 0, got " + index);
        }
        long wanted = Math.max(index + 1L, length + (length >> 1));
        return (int) Math.min(wanted, Integer.MAX_VALUE - 8);
    }
}
