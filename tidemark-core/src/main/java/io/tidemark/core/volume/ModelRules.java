package io.tidemark.core.volume;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Time to live and quota of models. The quota of a model above it becomes, once per walk, a cut-off and a byte budget,
 * which the crawlers use up as they meet its coldest files. How much a model has the census says, by rank directory;
 * where files name their model it is counted here.
 */
final class ModelRules {
    private final Map<String, Long> ttlSeconds;
    private final Map<String, Long> quotaBytes;
    private final Map<String, Excess> excess = new ConcurrentHashMap<>();

    /** What the walk going on has met of models that files name and that have a quota. */
    private final Map<String, AgeHistogram> counted = new ConcurrentHashMap<>();

    /** What a model has too much; shared by its rank directories. */
    private record Excess(long youngestSeconds, AtomicLong bytes) {}

    /**
     * Rules by the name of the model.
     *
     * @param ttlSeconds time since the last use after which a file goes
     * @param quotaBytes allocated bytes that a model may have
     */
    ModelRules(Map<String, Long> ttlSeconds, Map<String, Long> quotaBytes) {
        this.ttlSeconds = Map.copyOf(ttlSeconds);
        this.quotaBytes = Map.copyOf(quotaBytes);
    }

    /** Counts a file that names its model. */
    void count(String model, long recencySeconds, long bytes, long nowSeconds) {
        if (quotaBytes.containsKey(model)) {
            counted.compute(model, (_, before) -> {
                AgeHistogram ages = before == null ? new AgeHistogram(nowSeconds) : before;
                ages.add(recencySeconds, bytes);
                return ages;
            });
        }
    }

    /** Works out which models are above their quota, after a walk. */
    void recount(Iterable<RankDir> ranks, Census census, long nowSeconds, double share) {
        quotaBytes.forEach((model, quota) -> {
            AgeHistogram named = counted.remove(model);
            Estimate estimate = named == null
                    ? census.estimate(nowSeconds, id -> isOf(ranks, id, model))
                    : named.estimate(nowSeconds);
            long over = (long) (estimate.totalBytes() - quota * share);
            OptionalLong cutoff = estimate.whole() ? estimate.cutoffSeconds(over) : OptionalLong.empty();
            if (cutoff.isPresent()) {
                excess.put(model, new Excess(cutoff.getAsLong(), new AtomicLong(over)));
            } else {
                excess.remove(model);
            }
        });
    }

    private static boolean isOf(Iterable<RankDir> ranks, int id, String model) {
        for (RankDir rank : ranks) {
            if (rank.id() == id) {
                return rank.modelLabel().equals(model);
            }
        }
        return false;
    }

    /** Why a file of a model is to go at once, if it is: it has lived too long, or its model has too much. */
    Optional<RemovalCause> due(String model, long recencySeconds, long bytes, long nowSeconds) {
        Long ttl = ttlSeconds.get(model);
        if (ttl != null && nowSeconds - recencySeconds > ttl) {
            return Optional.of(RemovalCause.EXPIRED);
        }
        Excess over = excess.get(model);
        if (over != null && recencySeconds <= over.youngestSeconds && claim(over.bytes, bytes)) {
            return Optional.of(RemovalCause.QUOTA);
        }
        return Optional.empty();
    }

    private static boolean claim(AtomicLong budget, long bytes) {
        return budget.getAndUpdate(left -> left > 0 ? left - bytes : left) > 0;
    }

    boolean isEmpty() {
        return ttlSeconds.isEmpty() && quotaBytes.isEmpty();
    }
}
