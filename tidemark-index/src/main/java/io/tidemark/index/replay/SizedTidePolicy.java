package io.tidemark.index.replay;

import io.tidemark.index.policy.NodeFacts;
import io.tidemark.index.policy.TideOrder;
import io.tidemark.index.policy.VictimOrder;

/**
 * {@code tide} as a store runs it: time by what comes in, horizon and memory of past blocks bounded by the tier's size, a
 * duel with LRU of its own.
 */
final class SizedTidePolicy implements TreePolicy {
    private final SlotOrder slots;
    private final TideOrder order;

    SizedTidePolicy(Trace trace, NodeFacts facts) {
        slots = new SlotOrder(trace, facts);
        order = TideOrder.of(slots.facts(), slots::most);
        slots.over(order);
    }

    @Override
    public VictimOrder order() {
        return slots;
    }

    @Override
    public void used(int block) {
        order.used(slots.take(block));
    }

    @Override
    public void stored(int block) {
        order.used(slots.take(block));
    }

    @Override
    public void evicted(int block) {
        slots.free(block);
    }
}
