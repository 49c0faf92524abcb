package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.server.config.TidemarkConfig;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final long MI = 1L << 20;
    private static final MemoryBudget BUDGET = new MemoryBudget(512 * MI, 256 * MI, 0);

    @Test
    void whatFitsIsTakenAsItIs() throws StartException {
        assertThat(BUDGET.fit(dram(4096 * MI, false), limit(8192)).capacityBytes())
                .isEqualTo(4096 * MI);
        assertThat(BUDGET.fit(dram(1024 * MI, true), limit(8192)).capacityBytes())
                .isEqualTo(1024 * MI);
    }

    @Test
    void withoutAKnownLimitEverythingIsTaken() throws StartException {
        assertThat(BUDGET.fit(dram(1L << 44, false), Optional.empty()).capacityBytes())
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
        TidemarkConfig.Dram fitted = BUDGET.fit(dram(1024 * MI, true), limit(1536));

        assertThat(fitted.capacityBytes()).isEqualTo(432 * MI);
        assertThat(fitted.capacityBytes() % fitted.pageBytes()).isZero();
    }

    @Test
    void whereNothingUsefulFitsTheStartIsRefused() {
        assertThatThrownBy(() -> BUDGET.fit(dram(1024 * MI, true), limit(900)))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("lower TIDEMARK_HEAP");
    }

    @Test
    void aHeapThatCannotHoldTheIndexIsRefusedWithOneThatCan() throws StartException {
        BUDGET.checkHeap(dram(64L << 30, false), Optional.empty());

        assertThatThrownBy(() -> BUDGET.checkHeap(dram(256L << 30, false), Optional.empty()))
                .isInstanceOf(StartException.class)
                .hasMessage("the heap of 512.0 MiB is too small for the index of 256.0 GiB in pages of 4.0 KiB;"
                        + " set TIDEMARK_HEAP=1393m");
    }

    private static TidemarkConfig.Dram dram(long bytes, boolean shrinkable) {
        return new TidemarkConfig.Dram(bytes, shrinkable, 4096, 0.9, 0.7, "lru");
    }

    private static Optional<MemoryLimits.Limit> limit(long mebibytes) {
        return Optional.of(new MemoryLimits.Limit(mebibytes * MI, "a test"));
    }
}
