package io.tidemark.index.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PoliciesTest {
    private final OrderScript.Facts facts = new OrderScript.Facts(10);

    @Test
    void everyNameMakesAnEmptyOrder() {
        for (String name : Policies.names()) {
            assertThat(Policies.order(name, facts).size()).isZero();
            assertThat(Policies.bytesPerNode(name)).isPositive();
        }
        assertThat(Policies.names()).contains(Policies.DEFAULT);
    }

    @Test
    void anUnknownNameListsTheKnownOnes() {
        assertThatThrownBy(() -> Policies.order("lur", facts))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'lur'")
                .hasMessageContaining("fifo, filo, gdsf, lfu, lru, lru+np, mru, priority, slru, tide");
    }

    @Test
    void aPolicyThatAStoreCannotHaveIsRefusedWithTheReason() {
        assertThatThrownBy(() -> Policies.order("tlru8", facts))
                .hasMessageContaining("'tlru8' goes by the length of the latest request through a block")
                .hasMessageContaining("known: fifo, filo");
        assertThatThrownBy(() -> Policies.order("flat:lru", facts)).hasMessageContaining("known to the simulator only");
    }

    @Test
    void theDefaultOffersIncompleteTailsFirst() {
        VictimOrder order = Policies.order(Policies.DEFAULT, facts);
        order.added(1);
        order.added(3);
        assertThat(Walks.order(order)).containsExactly(3, 1);
    }

    @Test
    void firstInFirstOutMeansTheCreationAlsoForNodesThatJoinAgain() {
        for (boolean again : new boolean[] {false, true}) {
            OrderScript.Facts created = new OrderScript.Facts(10) {
                @Override
                public boolean joinsAgain() {
                    return again;
                }
            };
            VictimOrder order = Policies.order("fifo", created);
            for (int node = 1; node <= 3; node++) {
                created.created[node] = node;
                order.added(node);
            }
            order.removed(1);
            order.added(1);
            assertThat(Walks.order(order)).isEqualTo(again ? List.of(1, 2, 3) : List.of(2, 3, 1));
        }
    }

    @Test
    void slruProtectsWhatWasUsedAgain() {
        VictimOrder order = Policies.order("slru", facts);
        facts.hits[1] = 2;
        facts.hits[2] = 1;
        facts.lastAccess[2] = 9;
        order.added(1);
        order.added(2);
        assertThat(Walks.order(order)).containsExactly(2, 1);
    }
}
