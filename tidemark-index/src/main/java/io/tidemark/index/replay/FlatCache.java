package io.tidemark.index.replay;

import io.tidemark.index.policy.VictimOrder;

/** A cache that knows nothing of chains: blocks come one by one, root to leaf or leaf to root. */
final class FlatCache implements SimulatedCache {
    private final Trace trace;
    private final Room room;
    private final VictimOrder order;
    private final boolean leafFirst;
    private final Access access;
    private long inserts;
    private long evictions;
    private long immediateHits;
    private long used;

    /** Hears of each access before the order does. */
    interface Access {
        void at(int position);
    }

    FlatCache(Trace trace, Room room, VictimOrder order, boolean leafFirst, Access access) {
        this.trace = trace;
        this.room = room;
        this.order = order;
        this.leafFirst = leafFirst;
        this.access = access;
    }

    @Override
    public boolean holds(int block) {
        return order.contains(block);
    }

    @Override
    public void serve(int request) {
        int start = trace.start(request);
        int end = trace.end(request);
        for (int i = 0; i < end - start; i++) {
            serveAt(leafFirst ? end - 1 - i : start + i);
        }
    }

    @Override
    public long inserts() {
        return inserts;
    }

    @Override
    public long evictions() {
        return evictions;
    }

    @Override
    public long immediateHits() {
        return immediateHits;
    }

    private void serveAt(int position) {
        int block = trace.block(position);
        access.at(position);
        if (order.contains(block)) {
            immediateHits++;
            order.touched(block);
            return;
        }
        long weight = room.weight(block);
        if (weight > room.capacity()) {
            return;
        }
        evictDownTo(room.capacity() - weight);
        inserts++;
        used += weight;
        order.added(block);
        if (room.mustDrain(used)) {
            evictDownTo(room.target());
        }
    }

    private void evictDownTo(long target) {
        if (used <= target) {
            return;
        }
        order.beginWalk();
        while (used > target) {
            int victim = order.popNext();
            order.removed(victim);
            used -= room.weight(victim);
            evictions++;
        }
        order.endWalk();
    }
}
