package io.tidemark.bench.volume;

import java.io.IOException;

/**
 * What an eviction took, told by the seconds of last use of the files before and after it: those of one second are as
 * good as each other.
 *
 * @param count files that are gone
 * @param coldest of those, how many an eviction of as many in the order of last use would have taken
 */
record Victims(long count, long coldest) {
    /**
     * Of the times before and after, both in rising order.
     *
     * @throws IOException when nothing is gone
     */
    static Victims of(long[] before, long[] after) throws IOException {
        int count = before.length - after.length;
        if (count < 1) {
            throw new IOException("nothing is gone: " + before.length + " files before, " + after.length + " after");
        }
        long youngest = before[count - 1];
        int colder = below(before, youngest);
        int tied = below(before, youngest + 1) - colder;
        int colderLeft = below(after, youngest);
        int tiedLeft = below(after, youngest + 1) - colderLeft;
        return new Victims(count, colder - colderLeft + Math.min(tied - tiedLeft, count - colder));
    }

    /** How many are below a bound. */
    private static int below(long[] sorted, long bound) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < bound) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Share of the victims that are not among the coldest, in percent. */
    double missedPercent() {
        return 100.0 * (count - coldest) / count;
    }
}
