package io.tidemark.index.replay;

/**
 * Hits by the size of blocks, where the trace knows sizes.
 *
 * @param references bytes of all block references
 * @param prefixHits of these, bytes of leading blocks that were found
 */
public record ByteHits(long references, long prefixHits) {
    /** Share of the referenced bytes that are prefix hits, 0 to 1. */
    public double prefixHitRatio() {
        return references == 0 ? 0 : (double) prefixHits / references;
    }
}
