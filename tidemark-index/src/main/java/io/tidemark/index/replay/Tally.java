package io.tidemark.index.replay;

import java.util.Arrays;
import java.util.Optional;

/** Counts hits of a trace in a cache, request by request, on the state before each. */
final class Tally {
    private static final int BASE_COST = 104;

    private final Trace trace;
    private final SimulatedCache cache;
    private final int[] misses;
    private long prefixHits;
    private long blockHits;
    private long workSaved;
    private long workTotal;
    private long bytes;
    private long prefixHitBytes;

    Tally(Trace trace, SimulatedCache cache) {
        this.trace = trace;
        this.cache = cache;
        this.misses = new int[trace.requests()];
    }

    /** Counts what the cache holds of a request that it has not served yet. */
    void look(int request) {
        int start = trace.start(request);
        int length = trace.end(request) - start;
        int prefix = 0;
        boolean leading = true;
        for (int i = 0; i < length; i++) {
            boolean hit = cache.holds(trace.block(start + i));
            leading &= hit;
            prefix += leading ? 1 : 0;
            long size = trace.bytes(trace.block(start + i));
            bytes += size;
            prefixHitBytes += leading ? size : 0;
            blockHits += hit ? 1 : 0;
        }
        prefixHits += prefix;
        misses[request] = length - prefix;
        workSaved += workOf(prefix);
        workTotal += workOf(length);
    }

    CacheResult result(String policy, String size, int blocks) {
        Arrays.sort(misses);
        return new CacheResult(
                policy,
                size,
                blocks,
                trace.references(),
                prefixHits,
                blockHits,
                cache.immediateHits(),
                cache.inserts(),
                cache.evictions(),
                workSaved,
                workTotal,
                missPercentile(50),
                missPercentile(90),
                missPercentile(95),
                missPercentile(99),
                trace.hasSizes() ? Optional.of(new ByteHits(bytes, prefixHitBytes)) : Optional.empty());
    }

    private int missPercentile(int percent) {
        int index = (int) ((misses.length - 1L) * percent / 100);
        return misses.length == 0 ? 0 : misses[index];
    }

    private static long workOf(long leadingBlocks) {
        return leadingBlocks * BASE_COST + leadingBlocks * (leadingBlocks - 1) / 2;
    }
}
