package io.tidemark.core.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class CutoffsTest {
    private static final int RANK = 0;

    private final TestClocks clocks = new TestClocks();
    private final Census census = new Census();
    private final DeletionGrant grant = new DeletionGrant(clocks);
    private final Governor governor = new Governor(new Thresholds(85, 70, 95, 0), grant, 1_000_000);

    @Test
    void theEndOfAWalkIsSeenAtOnceThoughTheEstimateWasFresh() {
        Set<Integer> digits = Set.of(0, 1);
        census.begin(Set.of(RANK), digits, clocks.wallMillis() / 1000);
        Cutoffs cutoffs = new Cutoffs(census, grant, governor, clocks);
        digits.forEach(digit -> census.put(RANK, digit, census.newHistogram()));
        assertThat(cutoffs.renew().whole()).isTrue();
        assertThat(cutoffs.estimate().whole()).isTrue();
    }
}
