package io.tidemark.server.replay;

import java.util.Map;

/**
 * One server of the demo at a moment of its run.
 *
 * @param evicted copies evicted so far
 * @param hitsByTier reads answered so far, by tier; empty for a server without tiers
 */
record DemoColumn(
        String name,
        ReplayCounts counts,
        int totalRequests,
        double seconds,
        long evicted,
        Map<String, Long> hitsByTier) {
    DemoColumn {
        hitsByTier = Map.copyOf(hitsByTier);
    }

    /** Value bytes moved per second so far. */
    long bytesPerSecond() {
        return seconds > 0 ? (long) (counts.bytesMoved() / seconds) : 0;
    }
}
