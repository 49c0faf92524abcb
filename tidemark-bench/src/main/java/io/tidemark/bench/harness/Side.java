package io.tidemark.bench.harness;

/** One of the things that are measured side by side. */
public interface Side {
    /** Short name for tables. */
    String name();

    /** Measures once, in the unit of the comparison. Work that is not to be timed comes before or after the clock. */
    double measure() throws Exception;
}
