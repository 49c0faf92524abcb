package io.tidemark.index.replay;

/** A cache that the simulator feeds with the requests of one trace, in order. */
interface SimulatedCache {
    /** Whether a look-up would find the block now. */
    boolean holds(int block);

    /** Serves the request and stores what it missed. */
    void serve(int request);

    /** Blocks stored so far. */
    long inserts();

    /** Blocks that made room so far. */
    long evictions();

    /** Hits counted access by access, for caches that see blocks rather than requests; else 0. */
    default long immediateHits() {
        return 0;
    }
}
