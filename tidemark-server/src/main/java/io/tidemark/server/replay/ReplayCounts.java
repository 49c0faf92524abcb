package io.tidemark.server.replay;

/**
 * Counts of a run.
 *
 * @param references blocks asked for
 * @param prefixHits blocks found by look-up and loaded, from the root of their chains on
 * @param tokensSaved prompt tokens in those blocks: prefill that an engine need not compute
 * @param storedBlocks puts the server took
 * @param refusedPuts puts the server had no space for
 * @param failedLoads blocks that look-up promised and the load missed
 * @param wrongBytes bytes loaded that were not the block's, and bytes too few or too many
 * @param retries commands that were sent again because the server could not do them at that moment
 */
public record ReplayCounts(
        long requests,
        long references,
        long prefixHits,
        long tokensSaved,
        long storedBlocks,
        long refusedPuts,
        long failedLoads,
        long wrongBytes,
        long bytesLoaded,
        long bytesStored,
        long retries) {

    /** Bytes that crossed the wire as values. */
    public long bytesMoved() {
        return bytesLoaded + bytesStored;
    }

    /** Share of the references that were served, 0 to 1. */
    public double hitRatio() {
        return references == 0 ? 0 : (double) prefixHits / references;
    }
}
