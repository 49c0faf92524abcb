package io.tidemark.index.policy;

/** Lists ranked by worth, the lowest first; of equal ones the one that was added first. Makes no garbage. */
final class TideRanks {
    private final int[] byRank;
    private final int[] scratch;
    private final int[] rankOf;
    private final double[] worth;
    private int size;

    TideRanks(int lists) {
        byRank = new int[lists];
        scratch = new int[lists];
        rankOf = new int[lists];
        worth = new double[lists];
    }

    /** Starts over, with one list that comes before all others. */
    void begin(int first) {
        size = 0;
        add(first, Double.NEGATIVE_INFINITY);
    }

    void add(int list, double value) {
        worth[list] = value;
        byRank[size++] = list;
    }

    /** A stable merge sort from the bottom up; stretches in order stay as they are. */
    void sort() {
        for (int width = 1; width < size; width *= 2) {
            for (int from = 0; from + width < size; from += 2 * width) {
                merge(from, from + width, Math.min(from + 2 * width, size));
            }
        }
        for (int rank = 0; rank < size; rank++) {
            rankOf[byRank[rank]] = rank;
        }
    }

    int list(int rank) {
        return byRank[rank];
    }

    int rankOf(int list) {
        return rankOf[list];
    }

    private void merge(int from, int middle, int end) {
        if (worth[byRank[middle - 1]] <= worth[byRank[middle]]) {
            return;
        }
        System.arraycopy(byRank, from, scratch, from, middle - from);
        int left = from;
        int right = middle;
        for (int at = from; left < middle; at++) {
            boolean takeRight = right < end && worth[byRank[right]] < worth[scratch[left]];
            byRank[at] = takeRight ? byRank[right++] : scratch[left++];
        }
    }
}
