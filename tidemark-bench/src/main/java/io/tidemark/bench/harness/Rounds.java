package io.tidemark.bench.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * How often and how long sides are measured: every side once a round, in the order of the list in one round and in the
 * reverse order in the next, after a warm-up of whole rounds.
 *
 * @param count measured rounds
 * @param warmSeconds shortest warm-up
 */
public record Rounds(int count, double warmSeconds) {
    /** Refuses counts that say nothing. */
    public Rounds {
        if (count < 1 || warmSeconds < 0) {
            throw new IllegalArgumentException(
                    count + " rounds after " + warmSeconds + " s; expected at least 1 and 0");
        }
    }

    /** Measures the sides. Answers the samples of each in the order of the rounds, so that they pair up. */
    public List<Samples> run(List<Side> sides, LongSupplier nanoClock) throws Exception {
        long warmUntil = nanoClock.getAsLong() + (long) (warmSeconds * 1e9);
        do {
            for (Side side : sides) {
                side.measure();
            }
        } while (nanoClock.getAsLong() < warmUntil);
        List<double[]> values = new ArrayList<>();
        sides.forEach(side -> values.add(new double[count]));
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < sides.size(); i++) {
            order.add(i);
        }
        for (int round = 0; round < count; round++) {
            for (int index : order) {
                values.get(index)[round] = sides.get(index).measure();
            }
            Collections.reverse(order);
        }
        List<Samples> samples = new ArrayList<>();
        for (int i = 0; i < sides.size(); i++) {
            samples.add(new Samples(sides.get(i).name(), values.get(i)));
        }
        return samples;
    }
}
