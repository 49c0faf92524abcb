package io.tidemark.index.replay;

import java.util.BitSet;

/**
 * Two tiers that hold a block once: a hit in the lower one moves the block up, a victim of the upper one moves down,
 * a victim of the lower one is gone. Both evict leaf first.
 */
final class TieredCache {
    private final Trace trace;
    private final BlockState state;
    private final boolean dropsIncompleteTails;
    private final TreeTier dram;
    private final TreeTier ssd;
    private final Room dramRoom;
    private final Room ssdRoom;
    private final BitSet rising = new BitSet();
    private long inserts;
    private long demotions;
    private long droppedFromDram;
    private long droppedFromSsd;

    TieredCache(Trace trace, TierPolicies policies, Room dramRoom, Room ssdRoom) {
        this.trace = trace;
        this.state = new BlockState(trace);
        this.dropsIncompleteTails = policies.dropsIncompleteTails();
        this.dramRoom = dramRoom;
        this.ssdRoom = ssdRoom;
        this.dram = tier(policies.upper(), dramRoom);
        this.ssd = tier(policies.lower(), ssdRoom);
    }

    boolean holds(int block) {
        return dram.holds(block) || ssd.holds(block);
    }

    boolean holdsInDram(int block) {
        return dram.holds(block);
    }

    void serve(int request) {
        state.beginRequest(request);
        dram.beginRequest(request);
        ssd.beginRequest(request);
        int end = dramRoom.endOfFitting(trace, request);
        long missing = useHits(request, end);
        dram.evictDownTo(dramRoom.capacity() - missing, this::leftDram);
        for (int i = trace.start(request); i < end; i++) {
            if (!dram.holds(trace.block(i))) {
                store(trace.block(i));
            }
        }
        dram.lock(Trace.NO_BLOCK);
    }

    long inserts() {
        return inserts;
    }

    long demotions() {
        return demotions;
    }

    long droppedFromDram() {
        return droppedFromDram;
    }

    long droppedFromSsd() {
        return droppedFromSsd;
    }

    private TreeTier tier(String policy, Room room) {
        return new TreeTier(trace, TreePolicies.make(policy, trace, state, room), room.weights());
    }

    /** Uses what is held. Hits of the lower tier leave it before anything moves down, so that their room is free. */
    private long useHits(int request, int end) {
        int deepest = Trace.NO_BLOCK;
        long missing = 0;
        for (int i = trace.start(request); i < trace.end(request); i++) {
            int block = trace.block(i);
            if (dram.holds(block)) {
                deepest = block;
                state.used(block);
                dram.used(block);
            } else if (i < end) {
                missing += dramRoom.weight(block);
                liftIfHeld(block);
            }
        }
        dram.lock(deepest);
        return missing;
    }

    private void liftIfHeld(int block) {
        if (ssd.holds(block)) {
            ssd.take(block);
            state.rose(block);
            rising.set(block);
        }
    }

    private void store(int block) {
        if (rising.get(block)) {
            rising.clear(block);
        } else {
            state.stored(block);
            inserts++;
        }
        dram.store(block);
        dram.lock(block);
        if (dramRoom.mustDrain(dram.used())) {
            dram.evictDownTo(dramRoom.target(), this::leftDram);
        }
    }

    private void leftDram(int block) {
        if (dropsIncompleteTails && trace.isIncompleteTail(block)) {
            droppedFromDram++;
            return;
        }
        demotions++;
        if (ssdRoom.weight(block) > ssdRoom.capacity()) {
            leftSsd(block);
            return;
        }
        ssd.evictDownTo(ssdRoom.capacity() - ssdRoom.weight(block), this::leftSsd);
        ssd.store(block);
        if (ssdRoom.mustDrain(ssd.used())) {
            ssd.evictDownTo(ssdRoom.target(), this::leftSsd);
        }
    }

    private void leftSsd(int block) {
        droppedFromSsd++;
    }
}
