package io.tidemark.core.pool;

/** The two clocks, injected everywhere: durations and order use the monotonic one only. */
public interface Clocks {
    /** Nanoseconds that never go back; the origin is arbitrary. */
    long monotonicNanos();

    /** Milliseconds since 1970, for people; may step either way. */
    long wallMillis();

    /** The machine's clocks. */
    static Clocks system() {
        return new Clocks() {
            @Override
            public long monotonicNanos() {
                return System.nanoTime();
            }

            @Override
            public long wallMillis() {
                return System.currentTimeMillis();
            }
        };
    }
}
