package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DuplicatesTest {
    private final Nodes nodes = new Nodes();
    private final HostFields fields = new HostFields(nodes, WritePolicy.WRITE_BACK);
    private final Duplicates duplicates = new Duplicates(nodes, fields);

    @Test
    void nodesAreListedInTheOrderInWhichTheyJoinedWhateverLeavesBetween() {
        LinkedHashSet<Integer> naive = new LinkedHashSet<>();
        Random random = new Random(3);
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            all.add(nodes.create());
        }
        for (int step = 0; step < 40_000; step++) {
            int node = all.get(random.nextInt(all.size()));
            if (random.nextInt(100) < 50 + (step / 4_000 % 2 == 0 ? 10 : -20)) {
                nodes.set(node, Nodes.DEVICE);
                nodes.set(node, Nodes.HOST);
                duplicates.track(node);
                naive.add(node);
            } else if (random.nextBoolean()) {
                duplicates.forget(node);
                naive.remove(node);
            } else {
                nodes.clear(node, Nodes.DEVICE);
                duplicates.track(node);
                naive.remove(node);
            }
            if (step % 100 == 0) {
                assertThat(listed()).as("step %d", step).containsExactlyElementsOf(naive);
            }
        }
        assertThat(duplicates.size()).isEqualTo(naive.size());
    }

    @Test
    void aNodeThatIsOnTheHostOnlyKeepsItsPlaceUntilItIsTakenOff() {
        int first = duplicate();
        int second = duplicate();
        nodes.clear(first, Nodes.DEVICE);
        assertThat(listed()).containsExactly(first, second);
        nodes.set(first, Nodes.DEVICE);
        duplicates.track(first);
        assertThat(listed()).containsExactly(first, second);
        duplicates.forget(first);
        duplicates.track(first);
        assertThat(listed()).containsExactly(second, first);
        duplicates.clear();
        assertThat(duplicates.first()).isEqualTo(Nodes.NONE);
    }

    private int duplicate() {
        int node = nodes.create();
        nodes.set(node, Nodes.DEVICE);
        nodes.set(node, Nodes.HOST);
        duplicates.track(node);
        return node;
    }

    private List<Integer> listed() {
        List<Integer> listed = new ArrayList<>();
        for (int place = duplicates.first(); place != Nodes.NONE; place = duplicates.next(place)) {
            listed.add(duplicates.at(place));
        }
        return listed;
    }
}
