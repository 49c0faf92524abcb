package io.tidemark.index.replay;

/** A cache that never evicts: the bound that no size can pass. */
final class InfiniteCache implements SimulatedCache {
    private final Trace trace;
    private final boolean[] held;
    private long inserts;

    InfiniteCache(Trace trace) {
        this.trace = trace;
        this.held = new boolean[trace.uniqueBlocks()];
    }

    @Override
    public boolean holds(int block) {
        return held[block];
    }

    @Override
    public void serve(int request) {
        for (int i = trace.start(request); i < trace.end(request); i++) {
            inserts += held[trace.block(i)] ? 0 : 1;
            held[trace.block(i)] = true;
        }
    }

    @Override
    public long inserts() {
        return inserts;
    }

    @Override
    public long evictions() {
        return 0;
    }
}
