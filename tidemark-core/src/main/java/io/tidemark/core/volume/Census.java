package io.tidemark.core.volume;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What is on the volume, by shard: allocated bytes by age for each (rank directory, digit), replaced whenever the shard
 * has been walked again, so that the whole is never older than one pass and needs no barrier.
 *
 * <p>Before the first pass is over a shard may be a sample, and shards may be missing: then an {@link Estimate} scales
 * what there is. That is fair because block names are hashes: every shard is a random draw of its rank directory.
 * Memory: 16 KiB per shard. Guarded by itself; sums are made outside of the lock.
 */
final class Census {
    private final Map<Integer, Shard[]> shards = new HashMap<>();
    private Set<Integer> digits = Set.of();
    private boolean begun;

    /**
     * One shard.
     *
     * @param factor what its bytes stand for: 1 for a shard walked to the end
     */
    private record Shard(AgeHistogram histogram, double factor, boolean whole) {}

    private record Weighted(AgeHistogram histogram, double factor) {}

    /** Says which rank directories exist and which digits are ours; the rest is forgotten. */
    synchronized void begin(Set<Integer> ranks, Set<Integer> ownDigits) {
        begun = true;
        shards.keySet().retainAll(ranks);
        ranks.forEach(rank -> shards.computeIfAbsent(rank, absent -> new Shard[BucketList.DIGITS]));
        digits = Set.copyOf(ownDigits);
        for (Shard[] byDigit : shards.values()) {
            for (int digit = 0; digit < byDigit.length; digit++) {
                if (!digits.contains(digit)) {
                    clear(byDigit, digit);
                }
            }
        }
    }

    @SuppressWarnings("NullAway") // an empty place of the array is "not seen yet"
    private static void clear(Shard[] byDigit, int digit) {
        byDigit[digit] = null;
    }

    /** Puts a shard that has been walked to the end. */
    synchronized void put(int rank, int digit, AgeHistogram histogram) {
        Shard[] byDigit = shards.get(rank);
        if (byDigit != null) {
            byDigit[digit] = new Shard(histogram, 1, true);
        }
    }

    /** Puts a sample of a shard that has not been walked yet; each of its bytes stands for {@code factor} bytes. */
    synchronized void putSample(int rank, int digit, AgeHistogram histogram, double factor) {
        Shard[] byDigit = shards.get(rank);
        if (byDigit != null && byDigit[digit] == null) {
            byDigit[digit] = new Shard(histogram, factor, false);
        }
    }

    /** Takes a removed file out of its shard's count. */
    synchronized void removed(int rank, int digit, long recencySeconds, long bytes) {
        Shard[] byDigit = shards.get(rank);
        if (byDigit != null && byDigit[digit] != null) {
            byDigit[digit].histogram.remove(recencySeconds, bytes);
        }
    }

    /** Whether anything is known of a rank directory. */
    synchronized boolean knows(int rank) {
        Shard[] byDigit = shards.get(rank);
        return byDigit != null && Arrays.stream(byDigit).anyMatch(shard -> shard != null);
    }

    /** The whole volume's share of ours, as of {@code nowSeconds}. */
    Estimate estimate(long nowSeconds) {
        return estimate(nowSeconds, rank -> true);
    }

    /** Our share of some rank directories, as of {@code nowSeconds}. */
    Estimate estimate(long nowSeconds, Predicate<Integer> ranks) {
        List<Weighted> parts = new ArrayList<>();
        boolean[] flags = collect(ranks, parts);
        double[] sum = new double[AgeScale.BUCKETS];
        long seen = 0;
        double files = 0;
        for (Weighted part : parts) {
            part.histogram.addTo(sum, nowSeconds, part.factor);
            seen += part.histogram.files();
            files += part.histogram.files() * part.factor;
        }
        return new Estimate(sum, files, seen, flags[0], flags[1], nowSeconds);
    }

    /** Collects what counts, under the lock; answers [every rank is known, every shard is whole]. */
    private synchronized boolean[] collect(Predicate<Integer> ranks, List<Weighted> parts) {
        boolean known = begun;
        boolean whole = begun;
        for (Map.Entry<Integer, Shard[]> rank : shards.entrySet()) {
            if (!ranks.test(rank.getKey())) {
                continue;
            }
            List<Shard> seen = new ArrayList<>();
            for (int digit : digits) {
                Shard shard = rank.getValue()[digit];
                if (shard != null) {
                    seen.add(shard);
                }
            }
            known &= !seen.isEmpty();
            whole &= seen.size() == digits.size() && seen.stream().allMatch(Shard::whole);
            double missing = seen.isEmpty() ? 0 : (double) digits.size() / seen.size();
            seen.forEach(shard -> parts.add(new Weighted(shard.histogram, shard.factor * missing)));
        }
        return new boolean[] {known, whole};
    }
}
