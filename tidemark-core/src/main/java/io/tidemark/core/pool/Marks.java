package io.tidemark.core.pool;

/**
 * The watermarks of a backend, as shares of its capacity: eviction starts at or above {@code high} and goes on until
 * usage is at or below {@code low}.
 */
public record Marks(double high, double low) {
    /** Start at 90 %, stop at 70 %. */
    public static final Marks DEFAULT = new Marks(0.9, 0.7);

    public Marks {
        if (!(low > 0 && low < high && high <= 1)) {
            throw new IllegalArgumentException(
                    "watermarks high " + high + ", low " + low + "; expected 0 < low < high <= 1");
        }
    }

    /** The high mark in bytes of a capacity, at least 1 so that an empty backend is below it. */
    public long highBytes(long capacityBytes) {
        return Math.max(1, Math.round(capacityBytes * high));
    }

    /** The low mark in bytes of a capacity. */
    public long lowBytes(long capacityBytes) {
        return Math.round(capacityBytes * low);
    }
}
