package io.tidemark.server.replay;

import org.HdrHistogram.Histogram;

/** Latencies of one client, in nanoseconds: how long a request's look-up, load and store took, its whole chain each. */
record ReplayTimes(Histogram lookUp, Histogram load, Histogram store) {
    private static final long MAX_NANOS = 600_000_000_000L;
    private static final int DIGITS = 3;

    ReplayTimes() {
        this(newHistogram(), newHistogram(), newHistogram());
    }

    void add(ReplayTimes other) {
        lookUp.add(other.lookUp);
        load.add(other.load);
        store.add(other.store);
    }

    static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, MAX_NANOS));
    }

    private static Histogram newHistogram() {
        return new Histogram(MAX_NANOS, DIGITS);
    }
}
