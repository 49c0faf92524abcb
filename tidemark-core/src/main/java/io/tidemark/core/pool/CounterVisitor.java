package io.tidemark.core.pool;

/** Is shown every counter and gauge of a component; the way out of core for metrics, without a metrics library. */
public interface CounterVisitor {
    /** A total that only grows. Names are {@code tidemark_..._total}; labels are name, value, name, value... */
    void counter(String name, String help, long value, String... labels);

    /** A value that goes up and down. Names are {@code tidemark_...} with the base unit as suffix. */
    void gauge(String name, String help, double value, String... labels);
}
