package io.tidemark.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A graph of tiers as it was written, understood but not yet checked; what was left out is still empty.
 *
 * @param at where it begins
 * @param tiers in the order of the file, those that were understood
 * @param names every name of a tier or backend, also of those that were not understood
 * @param allNamed whether no tier or backend is missing from the names
 */
record GraphDraft(Origin at, List<Tier> tiers, Set<String> names, boolean allNamed) {
    /** What a backend stores in. */
    enum Type {
        DRAM,
        SSD,
        HBM
    }

    /** A backend with its share of the keys, {@link TierPlan#BY_CAPACITY} where none was given. */
    record Backend(
            String name,
            Origin at,
            Type type,
            long capacityBytes,
            Optional<Path> directory,
            Optional<Long> pageBytes,
            int weight) {}

    /** A tier or backend that takes what a tier evicts. */
    record Target(String name, Origin at) {}

    /** Both marks of a tier. */
    record Marks(double high, double low) {}

    /** Where a tier says what it does. */
    record Lines(Origin marks, Origin promotion, Origin policy) {}

    /**
     * One tier.
     *
     * @param lines of what it says; where the tier begins for what it does not say
     * @param marks its own; empty: those of the node
     * @param policy its own; empty: that of the node
     */
    record Tier(
            String name,
            Origin at,
            Lines lines,
            List<Backend> backends,
            List<Target> offloadTo,
            Optional<Marks> marks,
            Optional<TierPlan.Promotion> promotion,
            Optional<String> policy) {
        boolean holds(String backend) {
            return backends.stream().anyMatch(member -> member.name().equals(backend));
        }
    }
}
