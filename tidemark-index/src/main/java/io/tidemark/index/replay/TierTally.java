package io.tidemark.index.replay;

/** Counts prefix hits by tier, on the state before each request. */
final class TierTally {
    private final Trace trace;
    private final TieredCache cache;
    private long dramHits;
    private long ssdHits;

    TierTally(Trace trace, TieredCache cache) {
        this.trace = trace;
        this.cache = cache;
    }

    /** Counts what the tiers hold of a request that they have not served yet. */
    void look(int request) {
        for (int i = trace.start(request); i < trace.end(request) && cache.holds(trace.block(i)); i++) {
            if (cache.holdsInDram(trace.block(i))) {
                dramHits++;
            } else {
                ssdHits++;
            }
        }
    }

    TierResult result(String policy, String size, int dramBlocks, int ssdBlocks) {
        return new TierResult(
                policy,
                size,
                dramBlocks,
                ssdBlocks,
                trace.references(),
                dramHits + ssdHits,
                dramHits,
                ssdHits,
                cache.inserts(),
                cache.demotions(),
                cache.droppedFromDram(),
                cache.droppedFromSsd());
    }
}
