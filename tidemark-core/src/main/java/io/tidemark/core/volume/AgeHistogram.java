package io.tidemark.core.volume;

/**
 * Allocated bytes by age of a set of files, as it was at {@link #takenSeconds}. Each of its buckets is two of
 * {@link AgeScale}: the order of victims does not come from here. Files are counted by age as well, in the buckets of
 * {@link AgeSum}. 9 KiB. Filled by one thread, then guarded by the
 * {@link Census}.
 */
final class AgeHistogram {
    /** Bytes are counted in units of 4 KiB, rounded up, one at least: 16 TiB per bucket fit. */
    private static final int UNIT_SHIFT = 12;

    /** Buckets of the scale in one of these, as a shift. */
    private static final int COARSE_SHIFT = 1;

    private final int[] units = new int[AgeScale.BUCKETS >> COARSE_SHIFT];
    private final int[] filesByAge = new int[AgeScale.BUCKETS >> AgeSum.FILES_SHIFT];
    private final long takenSeconds;
    private int walk;
    private long files;

    /**
     * An empty histogram.
     *
     * @param takenSeconds wall clock in seconds, the moment that ages refer to
     */
    AgeHistogram(long takenSeconds) {
        this(takenSeconds, 0);
    }

    /**
     * An empty histogram of a shard.
     *
     * @param walk number of the walk that counts
     */
    AgeHistogram(long takenSeconds, int walk) {
        this.takenSeconds = takenSeconds;
        this.walk = walk;
    }

    /** Number of the walk that has counted. */
    int walk() {
        return walk;
    }

    /**
     * Gives a count that outlives all numbers of walks the oldest one that is still told apart from those to come.
     *
     * @param oldest of the numbers in use
     */
    void renumber(int oldest) {
        walk = oldest;
    }

    /** Counts one file. */
    void add(long recencySeconds, long allocatedBytes) {
        int bucket = bucket(recencySeconds);
        units[bucket] += unitsOf(allocatedBytes);
        filesByAge[ofFiles(bucket)]++;
        files++;
    }

    private static int ofFiles(int bucket) {
        return bucket >> (AgeSum.FILES_SHIFT - COARSE_SHIFT);
    }

    private int bucket(long recencySeconds) {
        return AgeScale.bucket(takenSeconds - recencySeconds) >> COARSE_SHIFT;
    }

    /**
     * Takes a file out of the count that was added with the same recency and bytes, here and in a sum that
     * {@link #addTo} has put this histogram into with the same moment and factor. Where no file of that age was counted,
     * nothing happens; no bucket goes below zero.
     */
    void remove(long recencySeconds, long allocatedBytes, AgeSum sum, long nowSeconds, double factor) {
        int bucket = bucket(recencySeconds);
        int ofFiles = ofFiles(bucket);
        if (units[bucket] == 0 || filesByAge[ofFiles] == 0) {
            return;
        }
        int gone = Math.min(units[bucket], unitsOf(allocatedBytes));
        units[bucket] -= gone;
        filesByAge[ofFiles]--;
        files--;
        sum.bytes[aged(bucket, nowSeconds)] -= bytesOf(gone) * factor;
        sum.files[agedOfFiles(ofFiles, nowSeconds)] -= factor;
    }

    /** Takes out files that were counted in here too, as of the same moment; no bucket goes below zero. */
    void subtract(AgeHistogram other) {
        assert takenSeconds == other.takenSeconds : "counts of two moments";
        for (int bucket = 0; bucket < units.length; bucket++) {
            units[bucket] -= Math.min(units[bucket], other.units[bucket]);
        }
        for (int bucket = 0; bucket < filesByAge.length; bucket++) {
            int gone = Math.min(filesByAge[bucket], other.filesByAge[bucket]);
            filesByAge[bucket] -= gone;
            files -= gone;
        }
    }

    private static int unitsOf(long allocatedBytes) {
        return (int) Math.max(1, (allocatedBytes + (1 << UNIT_SHIFT) - 1) >> UNIT_SHIFT);
    }

    long takenSeconds() {
        return takenSeconds;
    }

    long files() {
        return files;
    }

    /** Adds bytes and files, times {@code factor}, to a sum by age at {@code nowSeconds}. */
    void addTo(AgeSum sum, long nowSeconds, double factor) {
        for (int bucket = 0; bucket < units.length; bucket++) {
            if (units[bucket] != 0) {
                sum.bytes[aged(bucket, nowSeconds)] += bytesOf(units[bucket]) * factor;
            }
        }
        for (int bucket = 0; bucket < filesByAge.length; bucket++) {
            if (filesByAge[bucket] != 0) {
                sum.files[agedOfFiles(bucket, nowSeconds)] += filesByAge[bucket] * factor;
            }
        }
    }

    /** What it says about the files it has counted, as of {@code nowSeconds}: they are all there are. */
    Estimate estimate(long nowSeconds) {
        AgeSum sum = new AgeSum();
        addTo(sum, nowSeconds, 1);
        return new Estimate(sum, files, files, true, true, nowSeconds, nowSeconds);
    }

    private int aged(int bucket, long nowSeconds) {
        return agedOfScale(bucket << COARSE_SHIFT, nowSeconds);
    }

    private int agedOfFiles(int bucket, long nowSeconds) {
        return agedOfScale(bucket << AgeSum.FILES_SHIFT, nowSeconds) >> AgeSum.FILES_SHIFT;
    }

    private int agedOfScale(int finer, long nowSeconds) {
        long later = nowSeconds - takenSeconds;
        return later == 0 ? finer : AgeScale.bucket(AgeScale.youngestSeconds(finer) + later);
    }

    private static double bytesOf(int units) {
        return (double) Integer.toUnsignedLong(units) * (1 << UNIT_SHIFT);
    }
}
