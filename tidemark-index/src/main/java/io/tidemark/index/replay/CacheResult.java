package io.tidemark.index.replay;

import java.util.Optional;

/**
 * What one policy does with one trace in one tier, counted on the state before each request.
 *
 * @param policy name
 * @param size as it was asked for, {@code 5%} or a count
 * @param blocks capacity; of a size in bytes, in blocks of average size
 * @param references block references in the trace
 * @param prefixHits leading blocks found
 * @param blockHits blocks found anywhere in a request
 * @param immediateHits hits counted access by access, for structure-blind policies; else 0
 * @param inserts blocks stored
 * @param evictions blocks evicted
 * @param workSaved prefill work that the prefix hits saved: a block at position i costs 104 + i
 * @param workTotal prefill work of the whole trace without a cache
 * @param missP50 uncached blocks of a request, median
 * @param missP90 90th percentile
 * @param missP95 95th percentile
 * @param missP99 99th percentile
 * @param bytes hits by size, where sizes are known
 */
public record CacheResult(
        String policy,
        String size,
        int blocks,
        long references,
        long prefixHits,
        long blockHits,
        long immediateHits,
        long inserts,
        long evictions,
        long workSaved,
        long workTotal,
        int missP50,
        int missP90,
        int missP95,
        int missP99,
        Optional<ByteHits> bytes)
        implements SimulationResult {}
