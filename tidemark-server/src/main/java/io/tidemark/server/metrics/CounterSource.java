package io.tidemark.server.metrics;

import io.tidemark.core.pool.CounterVisitor;

/** A component that shows its counters and gauges. */
@FunctionalInterface
public interface CounterSource {
    /** Shows every counter and gauge to the visitor. */
    void counters(CounterVisitor visitor);
}
