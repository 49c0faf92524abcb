package io.tidemark.index.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No garbage once the arrays have grown: not one byte over 100,000 evictions with their uses. */
class AllocationTest {
    private static final int NODES = 2_000;
    private static final int STEPS = 100_000;

    private final OrderScript.Facts facts = new OrderScript.Facts(NODES);
    private long tick;
    private long random = 42;

    @ParameterizedTest
    @ValueSource(strings = {"lru", "lru+np", "fifo", "mru", "filo", "lfu", "priority", "slru"})
    void steadyStateAllocatesNothing(String policy) {
        VictimOrder order = Policies.order(policy, facts);
        for (int node = 0; node < NODES; node++) {
            use(order, node);
        }
        churn(order);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        threads.getCurrentThreadAllocatedBytes();
        long before = threads.getCurrentThreadAllocatedBytes();
        churn(order);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isZero();
    }

    private void churn(VictimOrder order) {
        for (int step = 0; step < STEPS; step++) {
            int head = next();
            use(order, head);
            order.touchedBehind(next(), head);
            order.beginWalk();
            int victim = order.popNext();
            order.removed(victim);
            use(order, next());
            order.endWalk();
            use(order, victim);
        }
    }

    private void use(VictimOrder order, int node) {
        facts.lastAccess[node] = ++tick;
        facts.hits[node]++;
        order.added(node);
        order.touched(node);
    }

    private int next() {
        random = random * 6364136223846793005L + 1442695040888963407L;
        return (int) ((random >>> 33) % NODES);
    }
}
