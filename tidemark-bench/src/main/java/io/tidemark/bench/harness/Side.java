package io.tidemark.bench.harness;

import java.util.concurrent.Callable;

/** One of the things that are measured side by side. */
public interface Side {
    /** Short name for tables. */
    String name();

    /** Measures once, in the unit of the comparison. Work that is not to be timed comes before or after the clock. */
    double measure() throws Exception;

    /** One that is a name and a way to measure. */
    static Side of(String name, Callable<Double> measure) {
        return new Side() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public double measure() throws Exception {
                return measure.call();
            }
        };
    }
}
