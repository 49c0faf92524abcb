package io.tidemark.index.replay;

import io.tidemark.index.policy.VictimOrder;

/** {@code tide}: leaves in the order of {@link TideOrder}, facts in {@link TideHistory}. */
final class TidePolicy implements TreePolicy {
    private static final int TICK_MILLIS = 2_000;

    /** After this much quiet all blocks are forgotten and all counts are next to nothing. */
    private static final int LONGEST_PAUSE_TICKS = 16 * TideHazards.HORIZON;

    private final Trace trace;
    private final TideHistory history;
    private final TideOrder order;
    private long wallTick;

    TidePolicy(Trace trace) {
        TideHazards hazards = new TideHazards(TideHistory.CLASSES);
        this.trace = trace;
        this.history = new TideHistory(trace, hazards);
        this.order = new TideOrder(trace, history, hazards);
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
        long tick = (trace.timestampMillis(request) - trace.timestampMillis(0)) / TICK_MILLIS;
        long ticks = Math.min(tick - wallTick, LONGEST_PAUSE_TICKS);
        for (long i = 0; i < ticks; i++) {
            order.beforeTick();
            history.nextTick();
        }
        wallTick = Math.max(wallTick, tick);
    }

    @Override
    public void used(int block) {
        history.used(block);
    }

    @Override
    public void stored(int block) {
        history.used(block);
    }
}
