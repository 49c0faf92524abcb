package io.tidemark.server.replay;

import java.util.concurrent.atomic.LongAdder;

/** What a run has counted so far; clients add, anyone reads. */
final class ReplayTally {
    final LongAdder requests = new LongAdder();
    final LongAdder references = new LongAdder();
    final LongAdder prefixHits = new LongAdder();
    final LongAdder tokensSaved = new LongAdder();
    final LongAdder storedBlocks = new LongAdder();
    final LongAdder refusedPuts = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder failedLoads = new LongAdder();
    final LongAdder wrongBytes = new LongAdder();
    final LongAdder bytesLoaded = new LongAdder();
    final LongAdder bytesStored = new LongAdder();

    /** The counts as they are now. */
    ReplayCounts snapshot() {
        return new ReplayCounts(
                requests.sum(),
                references.sum(),
                prefixHits.sum(),
                tokensSaved.sum(),
                storedBlocks.sum(),
                refusedPuts.sum(),
                failedLoads.sum(),
                wrongBytes.sum(),
                bytesLoaded.sum(),
                bytesStored.sum(),
                retries.sum());
    }
}
