package io.tidemark.core.medium;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.index.policy.VictimOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CopyOrderTest {
    private static final int VICTIMS = 1_000;

    /** Looked-at members are counted, not time: the same whether a thousand copies are there or a million. */
    @ParameterizedTest
    @ValueSource(ints = {VICTIMS * 10, 1_000_000})
    void g62_aWalkLooksAtItsVictimsAndNotAtTheResidents(int residents) {
        CopyRows rows = new CopyRows(residents);
        CopyOrder order = new CopyOrder(rows, residents);
        order.track("lru+np", 0, slot -> true);
        for (int slot = 0; slot < residents; slot++) {
            rows.make(slot);
            order.start(slot);
            order.join(slot);
        }
        for (int round = 0; round < 10; round++) {
            List<Integer> seen = new ArrayList<>();
            order.walk(VictimOrder.NONE, slot -> {
                seen.add(slot);
                return seen.size() < VICTIMS;
            });
            int first = round * VICTIMS;
            assertThat(seen)
                    .containsExactlyElementsOf(
                            IntStream.range(first, first + VICTIMS).boxed().toList());
            seen.forEach(order::leave);
        }
        assertThat(order.size()).isEqualTo(residents - 10 * VICTIMS);
    }
}
