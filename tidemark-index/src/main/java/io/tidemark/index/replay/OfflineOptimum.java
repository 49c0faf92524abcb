package io.tidemark.index.replay;

import io.tidemark.index.policy.KeyFunction;
import io.tidemark.index.policy.Keys;
import io.tidemark.index.policy.LazyHeap;
import java.util.Arrays;

/**
 * The upper bound: after each request keep, of all blocks held or just used, those with the nearest next request,
 * the shallower of equals. May keep nothing of a request. An upper bound for blocks of one size only.
 */
final class OfflineOptimum implements SimulatedCache {
    private final Trace trace;
    private final Room room;
    private final int[] nextRequest;
    private final int[] requestAfter;
    private final LazyHeap order;
    private long inserts;
    private long evictions;

    OfflineOptimum(Trace trace, Room room) {
        this.trace = trace;
        this.room = room;
        this.requestAfter = new int[trace.references()];
        this.nextRequest = new int[trace.uniqueBlocks()];
        lookAhead();
        KeyFunction farthestFirst = Keys.two(block -> -(long) nextRequest[block], block -> -(long) trace.depth(block));
        this.order = new LazyHeap(farthestFirst);
    }

    @Override
    public boolean holds(int block) {
        return order.contains(block);
    }

    @Override
    public void serve(int request) {
        for (int i = trace.start(request); i < trace.end(request); i++) {
            int block = trace.block(i);
            nextRequest[block] = requestAfter[i];
            if (order.contains(block)) {
                order.touched(block);
            } else {
                inserts++;
                order.added(block);
            }
        }
        long target = room.mustDrain(order.size()) ? room.target() : room.capacity();
        order.beginWalk();
        while (order.size() > target) {
            order.removed(order.popNext());
            evictions++;
        }
        order.endWalk();
    }

    @Override
    public long inserts() {
        return inserts;
    }

    @Override
    public long evictions() {
        return evictions;
    }

    private void lookAhead() {
        Arrays.fill(nextRequest, Integer.MAX_VALUE);
        for (int request = trace.requests() - 1; request >= 0; request--) {
            for (int i = trace.start(request); i < trace.end(request); i++) {
                requestAfter[i] = nextRequest[trace.block(i)];
            }
            for (int i = trace.start(request); i < trace.end(request); i++) {
                nextRequest[trace.block(i)] = request;
            }
        }
    }
}
