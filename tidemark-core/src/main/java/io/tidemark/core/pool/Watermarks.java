package io.tidemark.core.pool;

/**
 * The watermark work: first the index, then passes over all backends, the lowest tier first so that there is room for what comes down, and
 * within a tier the fullest member first. Runs on one thread.
 */
final class Watermarks {
    private final TierGraph graph;
    private final Evictions evictions;
    private final SpaceWaiters waiters;
    private final IndexPressure indexPressure;
    private final Runnable endHopeless;

    /** @param endHopeless ends moves that wait for what does not work, so that they count as leaving no more */
    Watermarks(
            TierGraph graph,
            Evictions evictions,
            SpaceWaiters waiters,
            IndexPressure indexPressure,
            Runnable endHopeless) {
        this.graph = graph;
        this.evictions = evictions;
        this.waiters = waiters;
        this.indexPressure = indexPressure;
        this.endHopeless = endHopeless;
    }

    /** One pass over all backends. */
    void pass() {
        waiters.want();
        endHopeless.run();
        indexPressure.pass();
        for (Tier tier : graph.tiers().reversed()) {
            for (Backend backend : tier.fullestFirst()) {
                if (backend.medium
                        .recordsEnds()) { // else nothing can go: it would be back, and nothing is stored in its place
                    evictions.evictor(backend).pass();
                }
            }
        }
    }
}
