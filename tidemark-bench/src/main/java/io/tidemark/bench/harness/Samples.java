package io.tidemark.bench.harness;

/** What one side measured, a value a round. */
public final class Samples {
    private final String side;
    private final double[] values;

    Samples(String side, double[] values) {
        this.side = side;
        this.values = values;
    }

    /** Name of the side. */
    public String side() {
        return side;
    }

    /** Median of the rounds. */
    public MedianInterval median() {
        return MedianInterval.of(values);
    }

    /** Median of the ratios of this side to the other, round by round. */
    public MedianInterval ratioTo(Samples other) {
        if (other.values.length != values.length) {
            throw new IllegalArgumentException(
                    "sides of " + values.length + " and " + other.values.length + " rounds; expected pairs");
        }
        double[] ratios = new double[values.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = values[i] / other.values[i];
        }
        return MedianInterval.of(ratios);
    }
}
