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
        evictDownTo(room.capacity() - 1);
        inserts++;
        order.added(block);
        if (room.mustDrain(order.size())) {
            evictDownTo(room.target());
        }
    }

    private void evictDownTo(int target) {
        if (order.size() <= target) {
            return;
        }
        order.beginWalk();
        while (order.size() > target) {
            order.removed(order.popNext());
            evictions++;
        }
        order.endWalk();
    }
}
