package io.tidemark.index.replay;

/** One tier that evicts leaf first: what a prefix tree, or a store with chain hints, does. */
final class TreeCache implements SimulatedCache {
    private final Trace trace;
    private final Room room;
    private final BlockState state;
    private final TreeTier tier;
    private long inserts;
    private long evictions;

    TreeCache(Trace trace, Room room, BlockState state, TreePolicy policy) {
        this.trace = trace;
        this.room = room;
        this.state = state;
        this.tier = new TreeTier(trace, policy, room.weights());
    }

    @Override
    public boolean holds(int block) {
        return tier.holds(block);
    }

    @Override
    public void serve(int request) {
        state.beginRequest(request);
        tier.beginRequest(request);
        int end = room.endOfFitting(trace, request);
        long missing = useHits(request, end);
        tier.evictDownTo(room.capacity() - missing, this::evicted);
        for (int i = trace.start(request); i < end; i++) {
            if (!tier.holds(trace.block(i))) {
                store(trace.block(i));
            }
        }
        tier.lock(Trace.NO_BLOCK);
    }

    @Override
    public long inserts() {
        return inserts;
    }

    @Override
    public long evictions() {
        return evictions;
    }

    /** Uses what the path holds and locks the deepest of it; answers what is missing before {@code end}. */
    private long useHits(int request, int end) {
        int deepest = Trace.NO_BLOCK;
        long missing = 0;
        for (int i = trace.start(request); i < trace.end(request); i++) {
            int block = trace.block(i);
            if (tier.holds(block)) {
                deepest = block;
                state.used(block);
                tier.used(block);
            } else if (i < end) {
                missing += room.weight(block);
            }
        }
        tier.lock(deepest);
        return missing;
    }

    private void store(int block) {
        state.stored(block);
        tier.store(block);
        inserts++;
        tier.lock(block);
        if (room.mustDrain(tier.used())) {
            tier.evictDownTo(room.target(), this::evicted);
        }
    }

    private void evicted(int block) {
        evictions++;
    }
}
