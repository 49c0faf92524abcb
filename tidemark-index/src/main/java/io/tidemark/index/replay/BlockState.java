package io.tidemark.index.replay;

import io.tidemark.index.policy.NodeFacts;

/** What the simulator knows of each block; the facts that policies are made of. Ticks count requests from 1. */
final class BlockState implements NodeFacts {
    private final Trace trace;
    private final int[] lastAccess;
    private final int[] created;
    private final int[] hits;
    private final int[] requestLength;
    private int tick;
    private int length;

    BlockState(Trace trace) {
        this.trace = trace;
        int blocks = trace.uniqueBlocks();
        this.lastAccess = new int[blocks];
        this.created = new int[blocks];
        this.hits = new int[blocks];
        this.requestLength = new int[blocks];
    }

    void beginRequest(int request) {
        tick = request + 1;
        length = trace.end(request) - trace.start(request);
    }

    void used(int block) {
        lastAccess[block] = tick;
        hits[block]++;
        requestLength[block] = length;
    }

    /** A block that comes in starts without hits: they are forgotten on eviction. */
    void stored(int block) {
        lastAccess[block] = tick;
        created[block] = tick;
        hits[block] = 0;
        requestLength[block] = length;
    }

    /** A block that moves up is new in its tier, but its hits go with it. */
    void rose(int block) {
        used(block);
        created[block] = tick;
    }

    @Override
    public long lastAccess(int block) {
        return lastAccess[block];
    }

    @Override
    public long created(int block) {
        return created[block];
    }

    @Override
    public long hits(int block) {
        return hits[block];
    }

    @Override
    public long priority(int block) {
        return 0;
    }

    @Override
    public boolean incompleteTail(int block) {
        return trace.isIncompleteTail(block);
    }

    @Override
    public long identity(int block) {
        return block;
    }

    /** Blocks of the last request through this block. */
    int requestLength(int block) {
        return requestLength[block];
    }

    /** Position in its chain, root = 1. */
    int depth(int block) {
        return trace.depth(block);
    }
}
