package io.tidemark.core.volume;

import io.tidemark.core.pool.EvictionSpace;
import io.tidemark.core.pool.Marks;

/**
 * The account that the evictor works to on a volume: what the grant still allows stands above the low mark, and is asked
 * for whatever the high mark says, because the activator has decided already.
 */
final class GrantSpace implements EvictionSpace {
    /** A capacity that the marks can be taken from; only the distance to the low mark means anything. */
    private static final long CAPACITY = 1L << 60;

    private final Marks marks;
    private final DeletionGrant grant;
    private final Cutoffs cutoffs;

    GrantSpace(Marks marks, DeletionGrant grant, Cutoffs cutoffs) {
        this.marks = marks;
        this.grant = grant;
        this.cutoffs = cutoffs;
    }

    @Override
    public long capacityBytes() {
        return CAPACITY;
    }

    @Override
    public long usedBytes() {
        return marks.lowBytes(CAPACITY) + cutoffs.neededBytes();
    }

    @Override
    public long leavingBytes() {
        return 0;
    }

    @Override
    public long wantedBytes() {
        return grant.open() ? CAPACITY - marks.lowBytes(CAPACITY) : 0;
    }
}
