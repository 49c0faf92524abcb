package io.tidemark.core.pool;

import io.tidemark.core.medium.Medium;

/**
 * A backend in a tier.
 *
 * @param medium the instance; its name is the backend's name
 * @param weight share of the keys that are placed here first, relative to the tier's other members; 1 or more
 */
public record TierMember(Medium medium, int weight) {
    public TierMember {
        if (weight < 1) {
            throw new IllegalArgumentException(
                    "backend " + medium.name() + ": weight " + weight + "; expected 1 or more");
        }
    }
}
