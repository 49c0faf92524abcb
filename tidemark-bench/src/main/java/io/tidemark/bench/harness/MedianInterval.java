package io.tidemark.bench.harness;

import java.util.Arrays;

/**
 * The median of some samples and an interval that holds the true median with at least 95 % confidence, whatever their
 * distribution (order statistics of a binomial). With fewer than six samples the interval is their whole range.
 */
public record MedianInterval(double median, double low, double high) {
    private static final double TAIL = 0.025;

    /** Of at least one sample. */
    public static MedianInterval of(double... samples) {
        if (samples.length == 0) {
            throw new IllegalArgumentException("no samples; expected at least one");
        }
        double[] sorted = samples.clone();
        Arrays.sort(sorted);
        int count = sorted.length;
        double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
        int rank = rank(count);
        return new MedianInterval(median, sorted[rank], sorted[count - 1 - rank]);
    }

    /** How it reads in a table: {@code 2.81 s [2.75, 2.86]}. */
    public String text(String unit) {
        return "%s %s [%s, %s]".formatted(Figure.of(median), unit, Figure.of(low), Figure.of(high));
    }

    /** Largest rank from the bottom, from 0, with no more than {@link #TAIL} of the binomial below it. */
    private static int rank(int count) {
        double probability = Math.pow(0.5, count);
        double below = probability;
        int rank = 0;
        while (below <= TAIL && rank < (count - 1) / 2) {
            rank++;
            probability *= (count - rank + 1) / (double) rank;
            below += probability;
        }
        return Math.max(0, below <= TAIL ? rank : rank - 1);
    }
}
