package io.tidemark.index.replay;

import io.tidemark.index.policy.NodeFacts;
import io.tidemark.index.policy.TideOrder;
import io.tidemark.index.policy.VictimOrder;

/** {@code tide} as it is described: ticks of two seconds of the trace, a horizon of 512, all blocks remembered. */
final class TidePolicy implements TreePolicy {
    private static final int TICK_MILLIS = 2_000;

    private final Trace trace;
    private final TideOrder order;
    private long tick;

    TidePolicy(Trace trace, NodeFacts facts) {
        this.trace = trace;
        this.order = TideOrder.withClock(facts, () -> tick);
    }

    @Override
    public VictimOrder order() {
        return order;
    }

    /** Ranks by age alone from now on, or by worth again. */
    void rankByAge(boolean value) {
        order.rankByAge(value);
    }

    @Override
    public void beginRequest(int request) {
        tick = Math.max(tick, (trace.timestampMillis(request) - trace.timestampMillis(0)) / TICK_MILLIS);
    }

    @Override
    public void used(int block) {
        order.used(block);
    }

    @Override
    public void stored(int block) {
        order.used(block);
    }
}
