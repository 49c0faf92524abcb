package io.tidemark.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.pool.StateRules.Below;
import io.tidemark.core.pool.StateRules.Decision;
import io.tidemark.core.pool.StateRules.Unit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StateRulesTest {
    private static final Unit PLAIN = new Unit(true, false, 0, true, false, true, true);

    private static Unit leased(boolean last) {
        return new Unit(true, false, 0, last, true, true, true);
    }

    @ParameterizedTest
    @EnumSource
    void a_pinned_unit_is_held_and_a_moving_one_is_in_flight(Below below) {
        Unit pinned = new Unit(true, false, 1, true, false, true, true);
        Unit moving = new Unit(false, true, 0, true, false, true, true);
        assertThat(StateRules.underPressure(pinned, below)).isEqualTo(Decision.HOLD);
        assertThat(StateRules.underPressure(moving, below)).isEqualTo(Decision.IN_FLIGHT);
    }

    @Test
    void the_placement_is_demoted_where_a_tier_takes_it_and_dropped_elsewhere() {
        assertThat(StateRules.underPressure(PLAIN, Below.OPEN)).isEqualTo(Decision.DEMOTE);
        assertThat(StateRules.underPressure(PLAIN, Below.NOTHING)).isEqualTo(Decision.DROP);
        assertThat(StateRules.underPressure(PLAIN, Below.HELD)).isEqualTo(Decision.DROP);
        assertThat(StateRules.underPressure(PLAIN, Below.UNHEALTHY)).isEqualTo(Decision.DROP);
    }

    @Test
    void a_copy_that_reads_do_not_use_first_is_dropped() {
        Unit behind = new Unit(true, false, 0, false, true, false, true);
        assertThat(StateRules.underPressure(behind, Below.OPEN)).isEqualTo(Decision.DROP);
    }

    @Test
    void a_lease_keeps_the_last_unit_and_forbids_no_demotion() {
        assertThat(StateRules.underPressure(leased(true), Below.OPEN)).isEqualTo(Decision.DEMOTE);
        assertThat(StateRules.underPressure(leased(true), Below.NOTHING)).isEqualTo(Decision.HOLD);
        assertThat(StateRules.underPressure(leased(true), Below.UNHEALTHY)).isEqualTo(Decision.HOLD);
        assertThat(StateRules.underPressure(leased(false), Below.HELD)).isEqualTo(Decision.DROP);
    }

    @Test
    void what_no_lower_tier_wants_is_dropped() {
        Unit tail = new Unit(true, false, 0, true, false, true, false);
        assertThat(StateRules.underPressure(tail, Below.OPEN)).isEqualTo(Decision.DROP);
    }
}
