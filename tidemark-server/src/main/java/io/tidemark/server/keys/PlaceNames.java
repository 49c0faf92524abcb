package io.tidemark.server.keys;

import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.TierConfig;
import java.util.List;
import java.util.Optional;

/**
 * Names of tiers and backends that a person gives. To the pool a name that it does not have is a copy that is not there, as
 * from a master that is behind; from a person it is a mistake.
 */
public final class PlaceNames {
    private PlaceNames() {}

    /** Throws IllegalArgumentException, with the names there are, when a name is none of the pool's. */
    public static void requireKnown(PoolConfig pool, Optional<String> tier, Optional<String> backend) {
        require("tier", tier, pool.tiers().stream().map(TierConfig::name).toList());
        require(
                "backend",
                backend,
                pool.tiers().stream()
                        .flatMap(each -> each.members().stream())
                        .map(member -> member.medium().name())
                        .toList());
    }

    private static void require(String what, Optional<String> given, List<String> known) {
        if (given.isPresent() && !known.contains(given.get())) {
            throw new IllegalArgumentException(
                    "no " + what + " '" + given.get() + "'; expected one of " + String.join(", ", known));
        }
    }
}
