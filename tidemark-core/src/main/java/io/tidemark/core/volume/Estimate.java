package io.tidemark.core.volume;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Bytes by age of (our share of) a volume, and how sure that is. Immutable. */
final class Estimate {
    /** Standard errors that a cut-off from a sample stays on the safe side. */
    private static final double SAFETY = 3;

    /** Where the bars of {@link #shares} begin: minutes, hours, days, weeks. */
    private static final List<Long> BARS_SECONDS = List.of(
            0L,
            600L,
            3_600L,
            3 * 3_600L,
            6 * 3_600L,
            12 * 3_600L,
            86_400L,
            2 * 86_400L,
            4 * 86_400L,
            7 * 86_400L,
            14 * 86_400L,
            21 * 86_400L,
            30 * 86_400L,
            60 * 86_400L,
            120 * 86_400L,
            365 * 86_400L);

    private final AgeSum ages;
    private final double totalBytes;
    private final double files;
    private final long seenFiles;
    private final boolean known;
    private final boolean whole;
    private final long baseSeconds;
    private final long nowSeconds;

    /**
     * An estimate.
     *
     * @param ages bytes and files by age at {@code baseSeconds}, changed by nobody any more
     * @param nowSeconds the moment that the ages asked for refer to
     */
    Estimate(
            AgeSum ages,
            double files,
            long seenFiles,
            boolean known,
            boolean whole,
            long baseSeconds,
            long nowSeconds) {
        this.ages = ages;
        this.files = files;
        this.seenFiles = seenFiles;
        this.known = known;
        this.whole = whole;
        this.baseSeconds = baseSeconds;
        this.nowSeconds = nowSeconds;
        this.totalBytes = ages.totalBytes();
    }

    double totalBytes() {
        return totalBytes;
    }

    /** Number of files, estimated. */
    long files() {
        return Math.round(files);
    }

    /** Whether every shard has been walked to its end. */
    boolean whole() {
        return whole;
    }

    /** Mean allocated bytes of a file, at least one block. */
    long meanFileBytes() {
        return files < 1 ? 4096 : Math.max(4096, (long) (totalBytes / files));
    }

    /** Bytes of the coldest so many files, sizes of each age apart. */
    long bytesOfColdest(double wantedFiles) {
        return wantedFiles <= 0 ? 0 : (long) Math.ceil(ages.bytesOfColdest(wantedFiles, meanFileBytes()));
    }

    /** Bytes of files at least this old. */
    double bytesOlderThan(long ageSeconds) {
        double sum = 0;
        for (int bucket = AgeScale.bucket(ageSeconds - (nowSeconds - baseSeconds));
                bucket < ages.bytes.length;
                bucket++) {
            sum += ages.bytes[bucket];
        }
        return sum;
    }

    /** The histogram in few bars, for people. */
    List<AgeShare> shares() {
        List<AgeShare> shares = new ArrayList<>();
        for (int i = 0; i < BARS_SECONDS.size(); i++) {
            boolean last = i + 1 == BARS_SECONDS.size();
            long from = BARS_SECONDS.get(i);
            long to = last ? Long.MAX_VALUE : BARS_SECONDS.get(i + 1);
            double bytes = bytesOlderThan(from) - (last ? 0 : bytesOlderThan(to));
            shares.add(new AgeShare(from, to, Math.max(0, (long) bytes)));
        }
        return shares;
    }

    /** Latest use of a file in a bucket. */
    private long used(int bucket) {
        return baseSeconds - AgeScale.youngestSeconds(bucket);
    }

    /** A bucket that would go in part stays as long as it is not known which part. Histograms count two as one. */
    private OptionalLong olderThan(int bucket) {
        int older = bucket + 2;
        return older < ages.bytes.length ? OptionalLong.of(used(older)) : OptionalLong.empty();
    }

    /**
     * The youngest recency (seconds) among the coldest {@code needBytes}: files last used then or before may go. While
     * the census is a sample the answer stays on the old side by three standard errors, so that what goes early is among
     * the coldest in the end too; all there is, stamps ahead of our clock included, when the youngest are reached; empty as
     * long as nothing can be said.
     */
    OptionalLong cutoffSeconds(long needBytes) {
        if (!known || needBytes <= 0) {
            return OptionalLong.empty();
        }
        double share = share(needBytes);
        double safe = share - uncertainty(share);
        if (safe <= 0) {
            return OptionalLong.empty();
        }
        int bucket = reached(safe);
        if (bucket == 0) {
            return OptionalLong.of(Long.MAX_VALUE);
        }
        return whole ? OptionalLong.of(used(bucket)) : olderThan(bucket);
    }

    /**
     * The recency (seconds) that the coldest {@code needBytes} reach at most: as {@link #cutoffSeconds}, but on the young
     * side: all there is, stamps ahead of our clock included, when they reach the youngest. Empty as long as nothing can be
     * said.
     */
    OptionalLong reachSeconds(long needBytes) {
        if (!known || needBytes <= 0) {
            return OptionalLong.empty();
        }
        if (totalBytes <= needBytes) {
            return OptionalLong.of(Long.MAX_VALUE);
        }
        double share = share(needBytes);
        int reached = reached(share + uncertainty(share));
        int bucket = whole ? reached : Math.max(0, reached - 1);
        return OptionalLong.of(bucket == 0 ? Long.MAX_VALUE : used(bucket));
    }

    private double share(long needBytes) {
        return totalBytes <= needBytes ? 1 : needBytes / totalBytes;
    }

    private double uncertainty(double share) {
        return whole ? 0 : SAFETY * Math.sqrt(share * (1 - share) / Math.max(1, seenFiles));
    }

    /** Youngest bucket that the coldest share of all bytes reaches. */
    private int reached(double share) {
        double wanted = Math.min(totalBytes, share * totalBytes);
        double sum = 0;
        int bucket = ages.bytes.length - 1;
        while (bucket > 0) {
            sum += ages.bytes[bucket];
            if (sum >= wanted) {
                return bucket;
            }
            bucket--;
        }
        return 0;
    }
}
