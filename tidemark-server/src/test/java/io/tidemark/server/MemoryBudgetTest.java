package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.server.config.TierPlan;
import io.tidemark.server.machine.MemoryLimits;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final long MI = 1L << 20;
    private static final MemoryBudget BUDGET = new MemoryBudget(512 * MI, 256 * MI, 0);

    @Test
    void whatFitsIsTakenAsItIs() throws StartException {
        assertThat(BUDGET.fit(dram(4096 * MI, false), limit(8192)).dramBytes()).isEqualTo(4096 * MI);
        assertThat(BUDGET.fit(dram(1024 * MI, true), limit(8192)).dramBytes()).isEqualTo(1024 * MI);
    }

    @Test
    void withoutAKnownLimitEverythingIsTaken() throws StartException {
        assertThat(BUDGET.fit(dram(1L << 44, false), Optional.empty()).dramBytes())
                .isEqualTo(1L << 44);
    }

    @Test
    void aGivenSizeThatDoesNotFitIsRefusedWithTheSumAndTheLargestThatFits() {
        assertThatThrownBy(() -> BUDGET.fit(dram(1024 * MI, false), limit(1536)))
                .isInstanceOf(StartException.class)
                .hasMessage("1.0 GiB for blocks + 512.0 MiB heap + 256.0 MiB direct memory + 192.0 MiB for the JVM"
                        + " itself = 1.9 GiB, more than 1.5 GiB (a test); the largest --dram that fits is 576Mi");
    }

    @Test
    void theDefaultShrinksToThreeQuartersOfWhatIsLeft() throws StartException {
        TierPlan fitted = BUDGET.fit(dram(1024 * MI, true), limit(1536));

        assertThat(fitted.dram()).containsExactly(new TierPlan.Dram("dram0", 432 * MI, 4096));
    }

    @Test
    void whereNothingUsefulFitsTheStartIsRefused() {
        assertThatThrownBy(() -> BUDGET.fit(dram(1024 * MI, true), limit(900)))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("lower TIDEMARK_HEAP");
    }

    @Test
    void aHeapThatCannotHoldTheIndexIsRefusedWithOneThatCan() throws StartException {
        BUDGET.checkHeap(dram(64L << 30, false), OptionalLong.of(448 * MI));

        assertThatThrownBy(() -> BUDGET.checkHeap(dram(256L << 30, false), OptionalLong.empty()))
                .isInstanceOf(StartException.class)
                .hasMessage("the heap of 512.0 MiB is too small for the index of 256.0 GiB in pages of 4.0 KiB;"
                        + " set TIDEMARK_HEAP=1393m");
        assertThatThrownBy(() -> BUDGET.checkHeap(dram(64L << 30, false), OptionalLong.of(449 * MI)))
                .isInstanceOf(StartException.class)
                .hasMessage(
                        "pool.index-memory of 449.0 MiB does not fit the heap of 512.0 MiB; set TIDEMARK_HEAP=514m");
    }

    @Test
    void theMemoryOfAllBackendsHasToFit() {
        TierPlan.Member half = new TierPlan.Member(new TierPlan.Dram("a", 512 * MI, 4096), 1);
        TierPlan.Member other = new TierPlan.Member(new TierPlan.Dram("b", 512 * MI, 4096), 3);

        assertThatThrownBy(() -> BUDGET.fit(plan(List.of(half, other), false), limit(1536)))
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith("1.0 GiB for blocks");
    }

    private static TierPlan dram(long bytes, boolean shrinkable) {
        return plan(List.of(new TierPlan.Member(new TierPlan.Dram("dram0", bytes, 4096), 1)), shrinkable);
    }

    private static TierPlan plan(List<TierPlan.Member> members, boolean shrinkable) {
        return new TierPlan(
                List.of(new TierPlan.Tier("dram", members, 0.9, 0.7, List.of(), Optional.empty(), "lru")), shrinkable);
    }

    private static Optional<MemoryLimits.Limit> limit(long mebibytes) {
        return Optional.of(new MemoryLimits.Limit(mebibytes * MI, "a test"));
    }
}
