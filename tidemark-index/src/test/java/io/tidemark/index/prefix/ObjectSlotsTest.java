package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectSlotsTest {
    private final List<String> released = new ArrayList<>();
    private final ObjectSlots<String> slots = new ObjectSlots<>(released::add, () -> "fresh");
    private final PrefixTree<List<String>> tree = new PrefixTree<>(TreeOptions.DEFAULT, TreeServices.deviceOnly(slots));

    @Test
    void valuesFollowTheirUnitsThroughSplitDuplicateAndEviction() {
        insert(List.of("a", "b", "c"), 1, 2, 3);
        insert(List.of("x", "d"), 1, 9);
        assertThat(released).containsExactly("x");
        MatchResult match = new MatchResult();
        tree.match(new TokenKey().set(0, new int[] {1, 2, 3}), match);
        assertThat(slots.values(match.deviceNode())).containsExactly("b", "c");
        assertThat(slots.values(tree.parent(match.deviceNode()))).containsExactly("a");
        tree.evict(100);
        assertThat(released).containsExactly("x", "d", "b", "c", "a");
    }

    private void insert(List<String> values, int... tokens) {
        tree.insert(new TokenKey().set(0, tokens), new Insertion<>(values));
    }
}
