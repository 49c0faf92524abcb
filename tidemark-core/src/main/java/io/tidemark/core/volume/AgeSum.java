package io.tidemark.core.volume;

/**
 * A sum of histograms: allocated bytes by age, in buckets of {@link AgeScale}, and numbers of files, in buckets sixteen times
 * as wide (6 % of an age): enough to say how large files of an age are. Not guarded.
 */
final class AgeSum {
    /** Buckets of bytes in one of files, as a shift. */
    static final int FILES_SHIFT = 4;

    final double[] bytes = new double[AgeScale.BUCKETS];
    final double[] files = new double[AgeScale.BUCKETS >> FILES_SHIFT];

    /** The same without what is below zero: parts of it are taken out that were never in. */
    AgeSum nonNegative() {
        AgeSum copy = new AgeSum();
        for (int bucket = 0; bucket < bytes.length; bucket++) {
            copy.bytes[bucket] = Math.max(0, bytes[bucket]);
        }
        for (int bucket = 0; bucket < files.length; bucket++) {
            copy.files[bucket] = Math.max(0, files[bucket]);
        }
        return copy;
    }

    double totalBytes() {
        double total = 0;
        for (double here : bytes) {
            total += here;
        }
        return total;
    }

    /**
     * Bytes of the coldest so many files: exact, but for those of the age that they end in, which count as large as the mean
     * of that age. Of more than there are each further one counts as {@code meanBytes}.
     */
    double bytesOfColdest(double wantedFiles, long meanBytes) {
        double left = wantedFiles;
        double sum = 0;
        for (int bucket = files.length - 1; bucket >= 0 && left > 0; bucket--) {
            double part = files[bucket] <= left ? 1 : left / files[bucket];
            sum += part * bytesOf(bucket);
            left -= part * files[bucket];
        }
        return sum + Math.max(0, left) * meanBytes;
    }

    private double bytesOf(int bucketOfFiles) {
        double sum = 0;
        for (int bucket = bucketOfFiles << FILES_SHIFT; bucket < (bucketOfFiles + 1) << FILES_SHIFT; bucket++) {
            sum += bytes[bucket];
        }
        return sum;
    }
}
