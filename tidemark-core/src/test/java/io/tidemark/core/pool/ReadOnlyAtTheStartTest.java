package io.tidemark.core.pool;

import static io.tidemark.core.pool.PoolHarness.PAGE;
import static io.tidemark.core.pool.PoolHarness.key;
import static io.tidemark.core.pool.PoolHarness.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One of two devices was overwritten while its file system took no writes, and takes none after the restart either. */
class ReadOnlyAtTheStartTest {
    private static final Marks MARKS = new Marks(0.9, 0.5);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_delete_of_the_younger_value_says_that_the_older_one_comes_back(boolean olderFirst) throws IOException {
        FarMedium older = new FarMedium("older", 10);
        FarMedium younger = new FarMedium("younger", 10);
        older.holds(key(1), 1, value(1, PAGE));
        older.holds(key(2), 2, value(2, PAGE));
        younger.holds(key(1), 3, value(3, PAGE));
        older.readOnly = true;
        TierConfig upper = TierConfig.of("dram", MARKS, new TierMember(PoolHarness.dram("dram0", 64), 1));
        TierConfig lower = TierConfig.of(
                "far",
                MARKS,
                new TierMember(olderFirst ? older : younger, 1),
                new TierMember(olderFirst ? younger : older, 1));
        KeyHash spread = KeyHash.seeded(1);
        KeyHash allInOneGroup = name -> spread.hash(name) & 0xFFFF_FFFFL;
        try (PoolHarness pool = new PoolHarness(PoolConfig.of(upper.offloadingTo("far"), lower), allInOneGroup)) {
            assertThat(pool.where(1)).containsExactly("younger");
            assertThat(pool.get(1)).isEqualTo(value(3, PAGE));
            assertThat(pool.evict(1, EvictionReason.DELETED).unwritten()).containsExactly("older");
            assertThat(pool.pool.endsPending(key(2))).isFalse();
            for (int name = 100; name < 140; name++) {
                pool.putPage(name);
                assertThat(pool.evict(name, EvictionReason.DELETED).unwritten()).isEmpty();
            }
            assertThat(pool.get(2)).isEqualTo(value(2, PAGE));
        }
    }
}
