package io.tidemark.core.volume;

import java.lang.foreign.MemorySegment;

/** When a file was last used: as its stamps say, or a touch log where that is later. The same when it is found and right before it goes. */
record LastUse(RecencyRule rule, Touches touches, Layout layout) {
    /** In seconds since 1970. */
    long seconds(RankDir rank, Name name, MemorySegment facts) {
        long stamped = rule.seconds(facts);
        return touches.any() ? Math.max(stamped, touches.seconds(rank, layout.hash(name))) : stamped;
    }
}
