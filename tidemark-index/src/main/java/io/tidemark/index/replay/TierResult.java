package io.tidemark.index.replay;

import java.util.Optional;

/**
 * What a pair of policies does with one trace in two tiers, counted on the state before each request.
 *
 * @param policy {@code tier:UPPER/LOWER}, with {@code /np} when incomplete tails are not demoted
 * @param size as it was asked for, {@code 2%:20%}
 * @param dramBlocks capacity of the upper tier; of a size in bytes, in blocks of average size
 * @param ssdBlocks the same of the lower tier
 * @param references block references in the trace
 * @param prefixHits leading blocks found in either tier
 * @param dramHits of these, found in the upper tier
 * @param ssdHits of these, found in the lower tier
 * @param inserts blocks stored that neither tier held
 * @param demotions blocks that moved down
 * @param droppedFromDram incomplete tails that were not demoted
 * @param droppedFromSsd blocks evicted from the lower tier
 * @param bytes hits by size, where sizes are known
 */
public record TierResult(
        String policy,
        String size,
        int dramBlocks,
        int ssdBlocks,
        long references,
        long prefixHits,
        long dramHits,
        long ssdHits,
        long inserts,
        long demotions,
        long droppedFromDram,
        long droppedFromSsd,
        Optional<ByteHits> bytes)
        implements SimulationResult {}
