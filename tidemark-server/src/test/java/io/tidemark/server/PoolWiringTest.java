package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.medium.DramMedium;
import io.tidemark.core.medium.DramOptions;
import io.tidemark.core.medium.Medium;
import io.tidemark.core.medium.NativeSys;
import io.tidemark.core.pool.TierMember;
import io.tidemark.server.config.TierPlan;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolWiringTest {
    private static List<Integer> weights(int first, int second) throws Exception {
        DramOptions large = new DramOptions("a", 3 << 20, 4096, 4096, false);
        DramOptions small = new DramOptions("b", 1 << 20, 4096, 4096, false);
        try (Medium a = DramMedium.open(NativeSys.INSTANCE, large);
                Medium b = DramMedium.open(NativeSys.INSTANCE, small)) {
            // planned with equal capacities: what turned out to be there counts
            List<TierPlan.Member> planned = List.of(
                    new TierPlan.Member(new TierPlan.Dram("a", 4 << 20, 4096), first),
                    new TierPlan.Member(new TierPlan.Dram("b", 4 << 20, 4096), second));
            return PoolWiring.members(planned, List.of(a, b)).stream()
                    .map(TierMember::weight)
                    .toList();
        }
    }

    @Test
    void weightsFollowTheCapacitiesThatAreThereWhereNoneWereGiven() throws Exception {
        assertThat(weights(TierPlan.BY_CAPACITY, TierPlan.BY_CAPACITY)).containsExactly(7_500, 2_500);
        assertThat(weights(1, 2)).containsExactly(1, 2);
    }
}
