package io.tidemark.index.replay;

import java.util.Optional;

/** Counts prefix hits by tier, on the state before each request. */
final class TierTally {
    private final Trace trace;
    private final TieredCache cache;
    private long dramHits;
    private long ssdHits;
    private long bytes;
    private long hitBytes;

    TierTally(Trace trace, TieredCache cache) {
        this.trace = trace;
        this.cache = cache;
    }

    /** Counts what the tiers hold of a request that they have not served yet. */
    void look(int request) {
        boolean leading = true;
        for (int i = trace.start(request); i < trace.end(request); i++) {
            int block = trace.block(i);
            leading = leading && cache.holds(block);
            bytes += trace.bytes(block);
            if (leading) {
                hit(block);
            }
        }
    }

    private void hit(int block) {
        hitBytes += trace.bytes(block);
        if (cache.holdsInDram(block)) {
            dramHits++;
        } else {
            ssdHits++;
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
                cache.droppedFromSsd(),
                trace.hasSizes() ? Optional.of(new ByteHits(bytes, hitBytes)) : Optional.empty());
    }
}
