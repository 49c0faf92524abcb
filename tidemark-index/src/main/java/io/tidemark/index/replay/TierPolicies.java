package io.tidemark.index.replay;

import java.util.List;
import java.util.stream.StreamSupport;

/**
 * The policies of two tiers.
 *
 * @param upper policy of DRAM
 * @param lower policy of SSD
 * @param dropsIncompleteTails whether incomplete tails are dropped rather than demoted
 */
record TierPolicies(String upper, String lower, boolean dropsIncompleteTails) {
    private static final String PREFIX = "tier:";
    /** Learns from uses, and would take a demotion for one. */
    private static final String TIDE = "tide";

    private static final String NO_TAILS = "np";
    private static final String FORM = "policies of two tiers are UPPER/LOWER, UPPER/LOWER/np, or one name for both";

    /**
     * Reads {@code UPPER/LOWER} or {@code UPPER/LOWER/np}, with or without {@code tier:} in front. One policy stands
     * for both tiers, and demotes incomplete tails unless it is a {@code +np} policy.
     */
    static TierPolicies parse(String text) {
        String bare = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text;
        String[] parts = bare.split("/", -1);
        boolean noTails = parts.length == 3 && parts[2].equals(NO_TAILS);
        if (parts.length > 2 && !noTails) {
            throw new IllegalArgumentException(FORM + "; got '" + text + "'");
        }
        TierPolicies policies = parts.length == 1
                ? new TierPolicies(bare, bare, bare.endsWith("+" + NO_TAILS))
                : new TierPolicies(parts[0], parts[1], noTails);
        requireKnown(policies.upper);
        requireKnown(policies.lower);
        if (policies.lower.equals(TIDE)) {
            throw new IllegalArgumentException("tide ranks the upper tier only: name another policy for the lower one,"
                    + " for example tide/lru/np");
        }
        return policies;
    }

    /** The policies that can stand for both tiers. */
    static List<String> names() {
        return StreamSupport.stream(TreePolicies.names().spliterator(), false)
                .filter(name -> !name.equals(TIDE))
                .toList();
    }

    private static void requireKnown(String name) {
        try {
            TreePolicies.requireKnown(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(FORM + "; " + e.getMessage(), e);
        }
    }

    String label() {
        return PREFIX + upper + "/" + lower + (dropsIncompleteTails ? "/" + NO_TAILS : "");
    }
}
