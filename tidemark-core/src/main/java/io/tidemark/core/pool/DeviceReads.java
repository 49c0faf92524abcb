package io.tidemark.core.pool;

/**
 * Bounds of reads from media whose bytes cannot be addressed in place.
 *
 * @param waitMillis how long a caller that waits waits for a device
 * @param threads threads that read from each device
 * @param stagedBytes memory for values that were read from devices, at most
 */
public record DeviceReads(long waitMillis, int threads, long stagedBytes) {
    /** 5 s, 4 threads, 256 MiB. */
    public static final DeviceReads DEFAULT = new DeviceReads(5_000, 4, 256L << 20);

    public DeviceReads {
        if (waitMillis < 1 || threads < 1 || stagedBytes < 1) {
            throw new IllegalArgumentException("device reads: wait of " + waitMillis + " ms, " + threads + " threads, "
                    + stagedBytes + " staged bytes; expected 1 or more of each");
        }
    }
}
