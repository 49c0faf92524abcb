package io.tidemark.core.pool;

/**
 * Bounds of reads from media whose bytes cannot be addressed in place.
 *
 * @param waitMillis how long a caller that waits waits for a device
 * @param threads threads that read from each device up to 1 MiB at a time, fewer where half of the memory has no room for so
 *     much at once; half as many beside them read more at a time
 * @param stagedBytes memory for values that were read from devices, at most
 * @param hugePages whether huge pages are asked for that memory
 */
public record DeviceReads(long waitMillis, int threads, long stagedBytes, boolean hugePages) {
    /** 5 s, 8 threads, 256 MiB. */
    public static final DeviceReads DEFAULT = new DeviceReads(5_000, 8, 256L << 20, true);

    public DeviceReads {
        if (waitMillis < 1 || threads < 1 || stagedBytes < 1) {
            throw new IllegalArgumentException("device reads: wait of " + waitMillis + " ms, " + threads + " threads, "
                    + stagedBytes + " staged bytes; expected 1 or more of each");
        }
    }

    /** With huge pages. */
    public DeviceReads(long waitMillis, int threads, long stagedBytes) {
        this(waitMillis, threads, stagedBytes, true);
    }
}
