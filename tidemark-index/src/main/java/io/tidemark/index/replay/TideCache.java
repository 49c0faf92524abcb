package io.tidemark.index.replay;

import io.tidemark.index.policy.RecencyList;
import io.tidemark.index.policy.RecencyRule;
import io.tidemark.index.policy.Truce;

/**
 * One tier under {@code tide}, in a duel with plain LRU: a shadow LRU of the same size counts the hits that it would
 * have had. After a window in which tide falls behind, blocks are ranked by age for a while, longer each time.
 */
final class TideCache implements SimulatedCache {
    private static final int WINDOW_FILLS = 4;
    private static final int LONGEST_TRUCE_WINDOWS = 32;
    /** Tide has lost a window when it falls behind by more than this share of its references, in thousandths. */
    private static final int LOSS_PER_MILLE = 2;

    private final Trace trace;
    private final TidePolicy policy;
    private final TreeCache cache;
    private final FlatCache shadow;
    private final long windowReferences;
    private long references;
    private long hits;
    private long shadowHits;
    private final Truce truce = new Truce(LONGEST_TRUCE_WINDOWS);

    TideCache(Trace trace, Room room) {
        this.trace = trace;
        BlockState state = new BlockState(trace);
        this.policy = new TidePolicy(trace, state);
        this.cache = new TreeCache(trace, room, state, policy);
        this.shadow = new FlatCache(trace, room, new RecencyList(RecencyRule.LRU), true, position -> {});
        this.windowReferences = (long) WINDOW_FILLS * room.blocks();
    }

    @Override
    public boolean holds(int block) {
        return cache.holds(block);
    }

    @Override
    public void serve(int request) {
        for (int i = trace.start(request); i < trace.end(request); i++) {
            references++;
            hits += cache.holds(trace.block(i)) ? 1 : 0;
            shadowHits += shadow.holds(trace.block(i)) ? 1 : 0;
        }
        cache.serve(request);
        shadow.serve(request);
        if (references >= windowReferences) {
            endWindow();
        }
    }

    @Override
    public long inserts() {
        return cache.inserts();
    }

    @Override
    public long evictions() {
        return cache.evictions();
    }

    private void endWindow() {
        truce.windowEnded((shadowHits - hits) * 1000 > references * LOSS_PER_MILLE);
        policy.rankByAge(truce.isOn());
        references = 0;
        hits = 0;
        shadowHits = 0;
    }
}
