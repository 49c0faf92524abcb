package io.tidemark.core.pool;

import io.tidemark.core.medium.Medium;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Puts, gets, deletes and evictions of few keys, from several threads at once, look as if they came one by one. */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class PoolLincheckTest {
    private static final Medium MEDIUM = PoolHarness.dram("dram0", 4_096);
    private static final Pool POOL = Pool.manual(
            PoolConfig.of(TierConfig.of("dram", Marks.DEFAULT, new TierMember(MEDIUM, 1))), KeyHash.seeded(1));
    /** Holds what several threads put and read at once; it guards its tokens itself. */
    private static final Session SESSION = POOL.session("lincheck");

    /** Each scenario starts from an empty pool. */
    public PoolLincheckTest() {
        POOL.clear();
    }

    @Operation
    public Answer put(@Param(name = "key") int key, @Param(name = "value") int value) {
        return PoolHarness.put(SESSION, PoolHarness.key(key), new byte[value], PutHints.NONE, PutMode.REPLACE);
    }

    @Operation
    public Answer putNew(@Param(name = "key") int key, @Param(name = "value") int value) {
        return PoolHarness.put(
                SESSION, PoolHarness.key(key), new byte[value], PutHints.NONE, PutMode.REPLACE_IF_ABSENT);
    }

    /** Length of the value, which tells the values apart; -1 for a miss. */
    @Operation
    public int get(@Param(name = "key") int key) {
        byte[] value = PoolHarness.get(SESSION, PoolHarness.key(key));
        return value == null ? -1 : value.length;
    }

    @Operation
    public EvictionOutcome delete(@Param(name = "key") int key) {
        return POOL.evict(EvictionRequest.of(PoolHarness.key(key), EvictionReason.DELETED))
                .outcome();
    }

    @Test
    void the_pool_is_linearizable() {
        new StressOptions()
                .iterations(10)
                .invocationsPerIteration(200)
                .threads(3)
                .actorsPerThread(3)
                .check(PoolLincheckTest.class);
    }
}
