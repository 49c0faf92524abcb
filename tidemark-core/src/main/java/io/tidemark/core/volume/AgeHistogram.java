package io.tidemark.core.volume;

/**
 * Allocated bytes by age of a set of files, as it was at {@link #takenSeconds}. 16 KiB. Filled by one thread, then
 * guarded by the {@link Census}; a sum made meanwhile may miss a removal.
 */
final class AgeHistogram {
    /** Bytes are counted in units of 4 KiB, rounded up: 16 TiB per bucket fit. */
    private static final int UNIT_SHIFT = 12;

    private final int[] units = new int[AgeScale.BUCKETS];
    private final long takenSeconds;
    private long files;
    private long bytes;

    /**
     * An empty histogram.
     *
     * @param takenSeconds wall clock in seconds, the moment that ages refer to
     */
    AgeHistogram(long takenSeconds) {
        this.takenSeconds = takenSeconds;
    }

    /** Counts one file and answers its bucket. */
    int add(long recencySeconds, long allocatedBytes) {
        int bucket = AgeScale.bucket(takenSeconds - recencySeconds);
        units[bucket] += unitsOf(allocatedBytes);
        files++;
        bytes += allocatedBytes;
        return bucket;
    }

    /** Takes a file out of the count that was added with the same recency and bytes; a bucket never goes below zero. */
    void remove(long recencySeconds, long allocatedBytes) {
        int bucket = AgeScale.bucket(takenSeconds - recencySeconds);
        units[bucket] = Math.max(0, units[bucket] - unitsOf(allocatedBytes));
        files = Math.max(0, files - 1);
        bytes = Math.max(0, bytes - allocatedBytes);
    }

    private static int unitsOf(long allocatedBytes) {
        return (int) ((allocatedBytes + (1 << UNIT_SHIFT) - 1) >> UNIT_SHIFT);
    }

    long takenSeconds() {
        return takenSeconds;
    }

    long files() {
        return files;
    }

    long bytes() {
        return bytes;
    }

    /** Adds the bytes, times {@code factor}, to a sum by age at {@code nowSeconds}. */
    void addTo(double[] sumByBucket, long nowSeconds, double factor) {
        long later = Math.max(0, nowSeconds - takenSeconds);
        for (int bucket = 0; bucket < units.length; bucket++) {
            if (units[bucket] != 0) {
                int aged = later == 0 ? bucket : AgeScale.bucket(AgeScale.youngestSeconds(bucket) + later);
                sumByBucket[aged] += Integer.toUnsignedLong(units[bucket]) * factor * (1 << UNIT_SHIFT);
            }
        }
    }
}
