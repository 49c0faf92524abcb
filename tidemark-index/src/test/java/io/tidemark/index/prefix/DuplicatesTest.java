package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DuplicatesTest {
    private final Nodes nodes = new Nodes();
    private final HostFields fields = new HostFields(nodes, WritePolicy.WRITE_BACK);
    private final Duplicates duplicates = new Duplicates(nodes, fields);

    @Test
    void nodesGoInTheOrderInWhichTheyJoinedWhateverLeavesOrChangesBetween() {
        for (long seed = 0; seed < 4; seed++) {
            Twin one = new Twin(false);
            Twin naive = new Twin(true);
            Random random = new Random(seed);
            for (int step = 0; step < 30_000; step++) {
                long draw = random.nextLong();
                boolean grows = step / 3_000 % 2 == 0;
                assertThat(one.step(new Random(draw), grows))
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(naive.step(new Random(draw), grows));
            }
        }
    }

    @Test
    void aNodeThatIsOnTheHostOnlyKeepsItsPlaceUntilASweepPassesIt() {
        int first = duplicate();
        int second = duplicate();
        int third = duplicate();
        onDevice(first, false);
        onDevice(first, true);
        assertThat(duplicates.take(Duplicates.Kind.INNER)).isEqualTo(first);
        onDevice(second, false);
        assertThat(duplicates.isListed(second)).isTrue();
        assertThat(duplicates.take(Duplicates.Kind.INNER)).isEqualTo(third);
        assertThat(duplicates.isListed(second)).isFalse();
        onDevice(second, true);
        assertThat(duplicates.take(Duplicates.Kind.INNER)).isEqualTo(Nodes.NONE);
        duplicates.track(second);
        assertThat(duplicates.take(Duplicates.Kind.INNER)).isEqualTo(second);
        assertThat(duplicates.size()).isZero();
    }

    @Test
    void clearedItListsNothing() {
        duplicate();
        duplicates.clear();
        assertThat(duplicates.take(Duplicates.Kind.INNER)).isEqualTo(Nodes.NONE);
    }

    private int duplicate() {
        int node = nodes.create();
        nodes.set(node, Nodes.DEVICE);
        nodes.set(node, Nodes.HOST);
        duplicates.track(node);
        return node;
    }

    private void onDevice(int node, boolean is) {
        if (is) {
            nodes.set(node, Nodes.DEVICE);
        } else {
            nodes.clear(node, Nodes.DEVICE);
        }
        duplicates.refresh(node);
    }

    /** One of two lists that get the same calls. */
    private static final class Twin {
        private static final int NODES = 500;

        private final Nodes nodes = new Nodes();
        private final HostFields fields = new HostFields(nodes, WritePolicy.WRITE_BACK);
        private final Duplicates list;

        Twin(boolean naive) {
            list = naive ? new NaiveDuplicates(nodes, fields) : new Duplicates(nodes, fields);
            for (int i = 0; i < NODES; i++) {
                nodes.create();
            }
        }

        /** Changes a node or sweeps; answers what was taken, how many are left and whether the node is listed. */
        List<Integer> step(Random random, boolean grows) {
            List<Integer> answer = new ArrayList<>();
            int node = 1 + random.nextInt(NODES);
            switch (random.nextInt(grows ? 12 : 8)) {
                case 0 -> sweep(random.nextInt(6), Duplicates.Kind.INNER, answer);
                case 1 -> sweep(random.nextInt(3), Duplicates.Kind.LEAF, answer);
                case 2 -> list.forget(node);
                case 3 -> flip(node, Nodes.DEVICE);
                case 4 -> flip(node, Nodes.DEVICE_LEAF);
                case 5 -> nodes.hostLocks(node, 1 - nodes.hostLocks(node));
                case 6 -> fields.load(node, fields.load(node) == Nodes.NONE ? node : Nodes.NONE);
                default -> {
                    nodes.set(node, Nodes.DEVICE);
                    nodes.set(node, Nodes.HOST);
                    list.track(node);
                }
            }
            list.refresh(node);
            answer.add(list.size());
            answer.add(list.isListed(node) ? 1 : 0);
            assertThat(!list.isListed(node) || list.isFiledRightly(node)).isTrue();
            return answer;
        }

        private void flip(int node, int flag) {
            if (nodes.has(node, flag)) {
                nodes.clear(node, flag);
            } else {
                nodes.set(node, flag);
            }
        }

        /** As the tree sweeps: leaves only when no other is left. */
        private void sweep(int count, Duplicates.Kind upTo, List<Integer> taken) {
            for (int i = 0; i < count; i++) {
                int node = list.take(Duplicates.Kind.INNER);
                taken.add(node == Nodes.NONE && upTo == Duplicates.Kind.LEAF ? list.take(upTo) : node);
            }
        }
    }
}
