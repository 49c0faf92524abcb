package io.tidemark.index.replay;

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

    /**
     * Reads {@code UPPER/LOWER} or {@code UPPER/LOWER/np}, with or without {@code tier:} in front. One policy stands
     * for both tiers, and demotes incomplete tails unless it is a {@code +np} policy.
     */
    static TierPolicies parse(String text) {
        String bare = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text;
        String[] parts = bare.split("/", -1);
        boolean noTails = parts.length == 3 && parts[2].equals(NO_TAILS);
        if (parts.length > 2 && !noTails) {
            throw new IllegalArgumentException(
                    "policies of two tiers are UPPER/LOWER or UPPER/LOWER/np, got '" + text + "'");
        }
        TierPolicies policies = parts.length == 1
                ? new TierPolicies(bare, bare, bare.endsWith("+" + NO_TAILS))
                : new TierPolicies(parts[0], parts[1], noTails);
        TreePolicies.requireKnown(policies.upper);
        TreePolicies.requireKnown(policies.lower);
        if (policies.lower.equals(TIDE)) {
            throw new IllegalArgumentException("tide ranks the upper tier only: name another policy for the lower one,"
                    + " for example tide/lru/np");
        }
        return policies;
    }

    String label() {
        return PREFIX + upper + "/" + lower + (dropsIncompleteTails ? "/" + NO_TAILS : "");
    }
}
