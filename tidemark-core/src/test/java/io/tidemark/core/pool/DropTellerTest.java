package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What is said of blocks that are dropped because the tier below does not take them; {@code HungBelowProcessTest} reads the log. */
class DropTellerTest {
    private final TransitionCounters counters = new TransitionCounters();
    private final List<String> lines = new ArrayList<>();

    private void drop(String reason, int blocks) {
        for (int i = 0; i < blocks; i++) {
            counters.droppedOnlyCopy(reason);
        }
    }

    @Test
    void blocksThatAreDroppedAreToldAtOnceThenOnceAMinuteWithTheirNumberAndTheCause() {
        FarMedium below = new FarMedium("far0", 10);
        try (PoolHarness pool = PoolHarness.tiered(10, below, new Marks(1, 0.9), UnaryOperator.identity())) {
            DropTeller teller = new DropTeller(counters, new TierGraph(pool.pool.config()), pool.clocks, lines::add);
            teller.tell();
            assertThat(lines).isEmpty();
            below.healthy = false;
            drop(TransitionCounters.UNHEALTHY, 3);
            teller.tell();
            assertThat(lines)
                    .containsExactly(
                            "3 blocks were dropped that a lower tier was to keep, 3 so far (unhealthy): far0 is"
                                    + " out of use: the test broke it");
            drop(TransitionCounters.UNHEALTHY, 2);
            pool.clocks.advanceMillis(59_000);
            teller.tell();
            assertThat(lines).hasSize(1);
            below.healthy = true;
            pool.clocks.advanceMillis(1_000);
            teller.tell();
            assertThat(lines.getLast())
                    .startsWith("2 blocks")
                    .contains("5 so far")
                    .endsWith("and is back");
            drop(TransitionCounters.NO_SPACE, 1);
            teller.tell();
            assertThat(lines).hasSize(3);
            assertThat(lines.getLast()).startsWith("1 blocks").contains("1 so far (no_space): no room came free below");
            pool.clocks.advanceMillis(600_000);
            teller.tell();
            assertThat(lines).hasSize(3);
        }
    }
}
