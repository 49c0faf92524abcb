package io.tidemark.server.keys;

import io.tidemark.core.pool.PoolConfig;
import io.tidemark.core.pool.TierConfig;
import java.util.List;
import java.util.Optional;

/**
 * Tier and backend as a person or a script of another store names them: in any case, with blanks around. To the pool a name
 * that it does not have is a copy that is not there, as from a master that is behind; from a person it is a mistake.
 *
 * @param tier a name of the pool's
 * @param backend a name of the pool's
 */
public record PlaceNames(Optional<String> tier, Optional<String> backend) {
    /**
     * The pool's names of what was given; one that differs in nothing goes before others that differ in case only.
     *
     * @throws IllegalArgumentException with the names there are, when one is none of the pool's, or may be several
     */
    public static PlaceNames of(PoolConfig pool, Optional<String> tier, Optional<String> backend) {
        List<String> tiers = pool.tiers().stream().map(TierConfig::name).toList();
        List<String> backends = pool.tiers().stream()
                .flatMap(each -> each.members().stream())
                .map(member -> member.medium().name())
                .toList();
        return new PlaceNames(
                tier.map(given -> known("tier", given, tiers)),
                backend.map(given -> known("backend", given, backends)));
    }

    private static String known(String what, String given, List<String> names) {
        if (names.contains(given)) {
            return given;
        }
        List<String> alike = names.stream()
                .filter(name -> name.equalsIgnoreCase(given.strip()))
                .toList();
        return switch (alike.size()) {
            case 0 ->
                throw new IllegalArgumentException(
                        "no " + what + " '" + given + "'; expected one of " + String.join(", ", names));
            case 1 -> alike.getFirst();
            default ->
                throw new IllegalArgumentException("which " + what + " is '" + given + "'? There are "
                        + String.join(" and ", alike) + "; write it as it is");
        };
    }
}
