package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BackupsTest {
    /** Transfers that are done when they have been started. */
    private static final class AtOnce implements Transfers {
        private final List<Integer> written = new ArrayList<>();
        private @Nullable PrefixTree<CountedSlots> tree;

        @Override
        public void write(int node) {
            written.add(node);
            if (tree != null) {
                tree.writeDone(node);
            }
        }

        @Override
        public void load(int node) {
            throw new AssertionError("nothing is loaded");
        }

        @Override
        public void awaitWrites() {}
    }

    @Test
    void ancestorsAndNodeAreBackedUpOnceEachWhenATransferIsDoneAtOnce() {
        CountedHost host = new CountedHost(1_000);
        AtOnce transfers = new AtOnce();
        HostOptions options = HostOptions.of(WritePolicy.WRITE_THROUGH_SELECTIVE);
        PrefixTree<CountedSlots> tree = new PrefixTree<>(
                TreeOptions.DEFAULT.withHost(options),
                TreeServices.deviceOnly(CountedSlots.SLOTS).withHost(host, transfers));
        transfers.tree = tree;
        int[] tokens = new int[40];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = i;
        }
        for (int length : new int[] {10, 20, 20, 30, 40, 40, 40}) {
            Insertion<CountedSlots> insertion = new Insertion<>(CountedSlots.SLOTS);
            tree.insert(new TokenKey().set(0, tokens, length), insertion);
            tree.sanityCheck();
        }
        assertThat(transfers.written).doesNotHaveDuplicates().hasSize(4);
        assertThat(host.freeUnits()).isEqualTo(1_000 - 40);
        assertThat(tree.writesInFlight()).isZero();
    }
}
