package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolConfigTest {
    private static TierConfig tier(String name, String backend) {
        return TierConfig.of(name, Marks.DEFAULT, new TierMember(PoolHarness.dram(backend, 4), 1));
    }

    @Test
    void a_tier_offloads_to_a_later_tier_only() {
        TierConfig upper = tier("a", "x");
        TierConfig lower = tier("b", "y");
        assertThatThrownBy(() -> PoolConfig.of(upper, lower.offloadingTo("a")))
                .hasMessage("tier b: offload to 'a'; expected the name of a later tier");
        assertThatThrownBy(() -> PoolConfig.of(upper.offloadingTo("a"), lower))
                .hasMessage("tier a: offload to 'a'; expected the name of a later tier");
        assertThatThrownBy(() -> PoolConfig.of(upper.offloadingTo("c"), lower))
                .hasMessage("tier a: offload to 'c'; expected the name of a later tier");
    }

    @Test
    void every_backend_is_in_exactly_one_tier() {
        assertThatThrownBy(() -> PoolConfig.of(tier("a", "x"), tier("b", "x")))
                .hasMessage("tier b: backend 'x' twice; expected each backend in exactly one tier");
    }

    @Test
    void names_differ_and_are_no_separators() {
        assertThatThrownBy(() -> PoolConfig.of(tier("a", "x"), tier("a", "y"))).hasMessageContaining("'a' twice");
        assertThatThrownBy(() -> tier("a|b", "x")).hasMessageContaining("without '|'");
        assertThatThrownBy(() -> new TierConfig("a", List.of(), Marks.DEFAULT, List.of(), Optional.empty()))
                .hasMessage("tier a: no backend; expected at least one");
        assertThatThrownBy(() -> new TierMember(PoolHarness.dram("x", 4), 0))
                .hasMessage("backend x: weight 0; expected 1 or more");
    }

    @Test
    void puts_go_to_memory_that_can_be_addressed() {
        TierConfig far = TierConfig.of("far", Marks.DEFAULT, new TierMember(new FarMedium("far0", 4), 1));
        assertThatThrownBy(() -> PoolConfig.of(far))
                .hasMessage("tier far: backend 'far0' cannot be addressed in place; expected DRAM as entry tier");
    }
}
