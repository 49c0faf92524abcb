package io.tidemark.core.pool;

import java.util.List;
import java.util.Optional;

/**
 * One tier of the policy graph.
 *
 * @param members backends, at least one
 * @param marks watermarks of each member; the fullest one drives the tier
 * @param offloadTo names of later tiers that take what this one evicts, in order of preference; empty: it is dropped
 * @param promotion when a block read from this tier is brought up to the entry tier; empty: never
 */
public record TierConfig(
        String name, List<TierMember> members, Marks marks, List<String> offloadTo, Optional<Promotion> promotion) {
    public TierConfig {
        members = List.copyOf(members);
        offloadTo = List.copyOf(offloadTo);
        if (name.isBlank() || name.indexOf('|') >= 0) {
            throw new IllegalArgumentException("tier name '" + name + "'; expected one that is not blank, without '|'");
        }
        if (members.isEmpty()) {
            throw new IllegalArgumentException("tier " + name + ": no backend; expected at least one");
        }
    }

    /** A tier that drops what it evicts. */
    public static TierConfig of(String name, Marks marks, TierMember... members) {
        return new TierConfig(name, List.of(members), marks, List.of(), Optional.empty());
    }

    /** This tier, with its victims going down to the given one. */
    public TierConfig offloadingTo(String lower) {
        return new TierConfig(name, members, marks, List.of(lower), promotion);
    }

    /** This tier, with blocks that are read from it going up. */
    public TierConfig promoting(Promotion rule) {
        return new TierConfig(name, members, marks, offloadTo, Optional.of(rule));
    }
}
