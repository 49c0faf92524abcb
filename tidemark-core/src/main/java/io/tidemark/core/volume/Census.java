package io.tidemark.core.volume;

import java.util.HashMap;
import java.util.HashSet;
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
 *
 * <p>The sum over all shards is kept up to date, by age as of the start of the walk, so that an estimate costs the same
 * whatever the number of shards is. Invariant: it is the sum of the shards of each rank directory, each times its factor
 * and times the digits that are ours over the digits that were seen. Memory: 9 KiB per shard. Guarded by itself.
 *
 * <p>A file that goes leaves the count that holds it ({@link #removed}), so that none holds a file that has gone while it was
 * made, or between two walks that saw it. Walks are told apart by a number, which a file that is ready bears. What stays in a count until
 * the next walk: a file of before that was used since, and one that somebody else removed while a deleter held it and for which the ready
 * buffer had no place again.
 */
final class Census {
    /** Files from which on some digits stand for the others. */
    private static final int SEEN_MIN = 4_096;

    /**
     * Numbers that tell walks apart. What is ready has been seen by the last walk, unless it was gone by then: few are older, and
     * one that bears a number for the second time takes a file too many out of the count of one walk. A count that is kept for so many
     * walks, since its shard could not be read, goes on as the oldest.
     */
    static final int WALKS = 64;

    /** Files in all that are known to have left a count and may be reported once more. */
    private static final int EARLY_MAX = 65_536;

    private final Map<Integer, Shard[]> shards = new HashMap<>();
    private AgeSum sum = new AgeSum();

    /** What has gone of shards that are being listed, after the listing has seen it: the finished count is made less by it. */
    private final Map<Place, AgeHistogram> gone = new HashMap<>();

    /** Hashes of what has left a shard's count: two deleters that took a file before and after a walk report it by two numbers. */
    private final Map<Place, Set<Integer>> early = new HashMap<>();

    private int earlyFiles;

    private int walk;
    private Set<Integer> digits = Set.of();
    private long baseSeconds;
    private boolean begun;

    /**
     * One shard.
     *
     * @param factor what its bytes stand for: 1 for a shard walked to the end
     */
    private record Shard(AgeHistogram histogram, double factor, boolean whole) {}

    /** A shard's. */
    private record Place(int rank, int digit) {}

    /**
     * What is known of some rank directories, apart from ages.
     *
     * @param known whether anything can be said of all: every digit was seen, or each rank directory has shown a file and
     *     there are {@link #SEEN_MIN} of them, because few files spread unevenly over the digits
     */
    private record Extent(double files, long seenFiles, boolean known, boolean whole) {}

    /**
     * Says which rank directories exist and which digits are ours; the rest is forgotten.
     *
     * @param nowSeconds wall clock, the moment that ages refer to from here on
     */
    synchronized void begin(Set<Integer> ranks, Set<Integer> ownDigits, long nowSeconds) {
        begun = true;
        baseSeconds = nowSeconds;
        gone.clear(); // of listings that came to no end
        walk = (walk + 1) % WALKS;
        shards.keySet().retainAll(ranks);
        ranks.forEach(rank -> shards.computeIfAbsent(rank, absent -> new Shard[BucketList.DIGITS]));
        digits = Set.copyOf(ownDigits);
        sum = new AgeSum();
        for (Shard[] byDigit : shards.values()) {
            for (int digit = 0; digit < byDigit.length; digit++) {
                if (!digits.contains(digit)) {
                    clear(byDigit, digit);
                }
            }
            renumberOldest(byDigit);
            addAll(byDigit, 1);
        }
        List.copyOf(early.keySet()).stream().filter(place -> !isWhole(place)).forEach(this::forgetEarly);
    }

    /** The number of the walk that begins was an old walk's too: a count of that one must not pass for one of this. */
    private void renumberOldest(Shard[] byDigit) {
        for (Shard shard : byDigit) {
            if (shard != null && shard.histogram.walk() == walk) {
                shard.histogram.renumber((walk + 1) % WALKS);
            }
        }
    }

    /**
     * An empty histogram for a shard of the walk going on, whose listing begins. All of one walk count ages from its start: moved
     * from one moment to another, files go over into the next bucket.
     */
    synchronized AgeHistogram newHistogram(int rank, int digit) {
        gone.remove(new Place(rank, digit)); // of a listing that came to no end
        return new AgeHistogram(baseSeconds, walk);
    }

    @SuppressWarnings("NullAway") // an empty place of the array is "not seen yet"
    private static void clear(Shard[] byDigit, int digit) {
        byDigit[digit] = null;
    }

    /**
     * Puts a shard that has been walked to the end.
     *
     * @param hidden whether something of it could not be read of which a count of before has more: that one stays then
     */
    synchronized void put(int rank, int digit, AgeHistogram histogram, boolean hidden) {
        Place place = new Place(rank, digit);
        AgeHistogram left = gone.remove(place);
        Shard[] byDigit = shards.get(rank);
        if (byDigit == null || (hidden && isWhole(place))) {
            return;
        }
        if (left != null) {
            histogram.subtract(left);
        }
        forgetEarly(place);
        replace(byDigit, digit, new Shard(histogram, 1, true));
    }

    private void forgetEarly(Place place) {
        Set<Integer> hashes = early.remove(place);
        earlyFiles -= hashes == null ? 0 : hashes.size();
    }

    /** Puts a sample of a shard that has not been walked yet; each of its bytes stands for {@code factor} bytes. */
    synchronized void putSample(int rank, int digit, AgeHistogram histogram, double factor) {
        Shard[] byDigit = shards.get(rank);
        if (byDigit != null && byDigit[digit] == null) {
            replace(byDigit, digit, new Shard(histogram, factor, false));
        }
    }

    /** One more digit changes the weight of all the others of its rank directory; a new count of a known one does not. */
    private void replace(Shard[] byDigit, int digit, Shard shard) {
        if (byDigit[digit] == null) {
            addAll(byDigit, -1);
            byDigit[digit] = shard;
            addAll(byDigit, 1);
        } else {
            add(byDigit[digit], -missing(byDigit));
            byDigit[digit] = shard;
            add(shard, missing(byDigit));
        }
    }

    private void addAll(Shard[] byDigit, int sign) {
        double weight = sign * missing(byDigit);
        for (Shard shard : byDigit) {
            if (shard != null) {
                add(shard, weight);
            }
        }
    }

    private void add(Shard shard, double weight) {
        shard.histogram.addTo(sum, baseSeconds, shard.factor * weight);
    }

    /** What each shard seen of a rank directory stands for, in shards. */
    private double missing(Shard[] byDigit) {
        int seen = seen(byDigit);
        return seen == 0 ? 0 : (double) digits.size() / seen;
    }

    private static int seen(Shard[] byDigit) {
        int seen = 0;
        for (Shard shard : byDigit) {
            seen += shard == null ? 0 : 1;
        }
        return seen;
    }

    /**
     * Takes a file that has gone out of the count that holds it.
     *
     * @param seen by the last walk that is known to have come to it
     * @param pathHash of the file
     * @param wasThere whether it was there until now: then all walks since have counted it. Else one may have come after it had
     *     gone already
     */
    synchronized void removed(int rank, int digit, Seen seen, int pathHash, boolean wasThere) {
        Shard[] byDigit = shards.get(rank);
        if (byDigit == null || !digits.contains(digit)) {
            return;
        }
        Place place = new Place(rank, digit);
        Shard shard = byDigit[digit];
        boolean counted = shard != null && shard.whole;
        if (seen.walk() == walk && !(counted && shard.histogram.walk() == walk)) {
            // counted by the listing that goes on, whose count takes the place of the one of before
            gone.computeIfAbsent(place, absent -> new AgeHistogram(baseSeconds, walk))
                    .add(seen.recencySeconds(), seen.bytes());
        }
        if (counted && holds(place, shard.histogram, seen, pathHash, wasThere)) {
            shard.histogram.remove(seen.recencySeconds(), seen.bytes(), sum, baseSeconds, missing(byDigit));
        }
    }

    /** Whether a count holds a file that has just gone; takes note of those that somebody may report under another number. */
    private boolean holds(Place place, AgeHistogram count, Seen seen, int pathHash, boolean wasThere) {
        if (early.getOrDefault(place, Set.of()).contains(pathHash)) {
            return false;
        }
        boolean mayBeReported = seen.walk() != count.walk() || count.walk() != walk;
        boolean isRoom = earlyFiles < EARLY_MAX;
        boolean holds = seen.walk() == count.walk()
                || (isLater(seen.walk(), count.walk())
                        ? seen.recencySeconds() <= count.takenSeconds() // else used or written after the count
                        : wasThere && isRoom);
        if (holds && mayBeReported && isRoom) {
            early.computeIfAbsent(place, absent -> new HashSet<>()).add(pathHash);
            earlyFiles++;
        }
        return holds;
    }

    private boolean isLater(int number, int than) {
        return Math.floorMod(number - than, WALKS) <= Math.floorMod(walk - than, WALKS);
    }

    /** Whether anything is known of a rank directory. */
    synchronized boolean knows(int rank) {
        Shard[] byDigit = shards.get(rank);
        return byDigit != null && seen(byDigit) > 0;
    }

    /** The whole volume's share of ours, as of {@code nowSeconds}. */
    synchronized Estimate estimate(long nowSeconds) {
        Extent extent = extent(rank -> true);
        AgeSum ages = sum.nonNegative();
        gone.forEach((place, left) -> left.addTo(ages, baseSeconds, isWhole(place) ? 0 : -1));
        return new Estimate(
                ages.nonNegative(),
                extent.files,
                extent.seenFiles,
                extent.known,
                extent.whole,
                baseSeconds,
                nowSeconds);
    }

    /** Our share of some rank directories, as of {@code nowSeconds}; looks at each of their shards. */
    synchronized Estimate estimate(long nowSeconds, Predicate<Integer> ranks) {
        Extent extent = extent(ranks);
        AgeSum ages = new AgeSum();
        shards.forEach((rank, byDigit) -> {
            if (ranks.test(rank)) {
                for (Shard shard : byDigit) {
                    if (shard != null) {
                        shard.histogram.addTo(ages, nowSeconds, shard.factor * missing(byDigit));
                    }
                }
            }
        });
        gone.forEach((place, left) -> left.addTo(ages, nowSeconds, ranks.test(place.rank) && !isWhole(place) ? -1 : 0));
        return new Estimate(
                ages.nonNegative(), extent.files, extent.seenFiles, extent.known, extent.whole, nowSeconds, nowSeconds);
    }

    private boolean isWhole(Place place) {
        Shard[] byDigit = shards.get(place.rank);
        return byDigit != null && byDigit[place.digit] != null && byDigit[place.digit].whole;
    }

    private Extent extent(Predicate<Integer> ranks) {
        double files = 0;
        long seenFiles = 0;
        boolean shown = true;
        boolean complete = true;
        boolean whole = true;
        for (Map.Entry<Integer, Shard[]> rank : shards.entrySet()) {
            Shard[] byDigit = rank.getValue();
            if (!ranks.test(rank.getKey())) {
                continue;
            }
            int seen = seen(byDigit);
            long seenHere = 0;
            complete &= seen == digits.size();
            for (Shard shard : byDigit) {
                if (shard != null) {
                    whole &= shard.whole;
                    seenHere += shard.histogram.files();
                    files += shard.histogram.files() * shard.factor * missing(byDigit);
                }
            }
            shown &= seenHere > 0 || seen == digits.size();
            seenFiles += seenHere;
        }
        for (Map.Entry<Place, AgeHistogram> left : gone.entrySet()) {
            boolean less = ranks.test(left.getKey().rank) && !isWhole(left.getKey());
            files -= less ? left.getValue().files() : 0;
        }
        boolean known = complete || (shown && seenFiles >= SEEN_MIN);
        return new Extent(Math.max(0, files), seenFiles, begun && known, begun && complete && whole);
    }
}
