package io.tidemark.index.replay;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What to simulate: every policy at every size, or every policy over the pair of tiers.
 *
 * @param policies names, see {@link Simulation#policies()}; with tiers {@code UPPER/LOWER[/np]} too
 * @param sizes capacities; not used with tiers
 * @param marks evict by watermarks instead of exactly
 * @param tiers simulate DRAM over SSD
 */
public record SimulationOptions(
        List<String> policies, List<CacheSize> sizes, Optional<Marks> marks, Optional<TierSizes> tiers) {
    /** Refuses to simulate nothing, and policies that do not exist. */
    public SimulationOptions {
        policies = List.copyOf(policies);
        sizes = List.copyOf(sizes);
        if (policies.isEmpty()) {
            throw new IllegalArgumentException("name at least one policy");
        }
        if (sizes.isEmpty() && tiers.isEmpty()) {
            throw new IllegalArgumentException("name at least one cache size, or tiers");
        }
        if (tiers.isPresent()) {
            policies.forEach(TierPolicies::parse);
        } else {
            policies.forEach(CacheCatalog::requireKnown);
        }
        if (inBytes(sizes, tiers) && policies.stream().anyMatch(CacheCatalog::isOptimum)) {
            throw new IllegalArgumentException(
                    "opt and flat:belady are optima for blocks of one size only: leave them out"
                            + " with capacities in bytes");
        }
    }

    /** Whether a capacity is in bytes. */
    boolean inBytes() {
        return inBytes(sizes, tiers);
    }

    private static boolean inBytes(List<CacheSize> sizes, Optional<TierSizes> tiers) {
        return Stream.concat(sizes.stream(), tiers.stream().map(TierSizes::dram))
                .anyMatch(size -> size.unit() == CacheSize.Unit.BYTES);
    }
}
