package io.tidemark.index.replay;

import java.util.Optional;

/** The outcome of one simulated cache over a whole trace. */
public sealed interface SimulationResult permits CacheResult, TierResult {
    /** The policy's name. */
    String policy();

    /** The size as it was asked for. */
    String size();

    /** Block references in the trace. */
    long references();

    /** Leading blocks of the requests that were found. */
    long prefixHits();

    /** Hits by size, where the trace knows sizes. */
    Optional<ByteHits> bytes();

    /** Share of the references that are prefix hits, 0 to 1. */
    default double prefixHitRatio() {
        return references() == 0 ? 0 : (double) prefixHits() / references();
    }
}
