package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The tree under {@code tide}, which learns: what it must keep whatever it learns, and what it is for. */
class TidePolicyTest {
    private final MatchResult match = new MatchResult();

    @Test
    void promptsThatComeAgainStayThroughAScanThatLruWouldKeepInstead() {
        assertThat(hotHits(new TreePolicy.Tide())).isGreaterThan(90);
        assertThat(hotHits(new TreePolicy.Lru())).isLessThan(10);
    }

    /** Ten prompts come again every 400 others that do not, in a tree of 150: how often they are found, in percent. */
    private int hotHits(TreePolicy policy) {
        PrefixTree<CountedSlots> tree =
                new PrefixTree<>(TreeOptions.DEFAULT.withPolicy(policy), TreeServices.deviceOnly(CountedSlots.SLOTS));
        int found = 0;
        int asked = 0;
        for (int op = 0; op < 30_000; op++) {
            boolean hot = op % 40 == 0;
            int first = hot ? 1 + op / 40 % 10 : 1_000 + op;
            int[] tokens = {first, 1, 2, 3, 4, 5, 6, 7};
            tree.match(new TokenKey().set(0, tokens), match);
            if (hot && op > 15_000) {
                asked++;
                found += match.length() == 8 ? 1 : 0;
            }
            tree.insert(new TokenKey().set(0, tokens), new Insertion<>(CountedSlots.SLOTS));
            if (tree.evictableUnits() > 150 * 8) {
                tree.evict(tree.evictableUnits() - 150 * 8);
            }
        }
        tree.sanityCheck();
        return 100 * found / asked;
    }

    @Test
    void theSameCallsGiveTheSameTreeAndEveryInvariantHolds() {
        TreeOptions options = TreeOptions.DEFAULT.withPolicy(new TreePolicy.Tide());
        TreeOptions host = options.withHost(new HostOptions(WritePolicy.WRITE_BACK, 1, 2));
        for (long seed = 0; seed < 10; seed++) {
            HostSide one = new HostSide(host, 60, LeafSets::new);
            HostSide other = new HostSide(host, 60, LeafSets::new);
            Random random = new Random(seed);
            for (int i = 0; i < 400; i++) {
                TreeStep step = TreeStep.random(random);
                assertThat(one.step(step)).isEqualTo(other.step(step));
            }
            assertThat(one.finish()).isEqualTo(other.finish()).last().isEqualTo("left 0");
        }
    }

    @Test
    void aPathHasOneIdentityHoweverItIsCut() {
        Set<Long> seen = new HashSet<>();
        for (boolean cut : new boolean[] {false, true}) {
            Nodes nodes = new Nodes();
            Slices tokens = new Slices(1, 0);
            PathIdentities identities = new PathIdentities(nodes, tokens, new TreePolicy.Tide());
            int[] path = {5, 6, 7, 8};
            int above = cut ? node(nodes, tokens, Nodes.ROOT, path, 0, 2) : Nodes.ROOT;
            identities.number(cut ? above : node(nodes, tokens, Nodes.ROOT, path, 0, 1));
            int end = node(nodes, tokens, above, path, cut ? 2 : 0, 4);
            identities.number(end);
            seen.add(identities.of(end));
        }
        assertThat(seen).hasSize(1);
    }

    private static int node(Nodes nodes, Slices tokens, int parent, int[] path, int from, int to) {
        int node = nodes.create();
        nodes.parent(node, parent);
        nodes.length(node, to - from);
        tokens.store(node, path, from, to - from);
        return node;
    }

    @Test
    void sessionsAndRebuiltHeapsAreRefused() {
        TreeOptions options = TreeOptions.DEFAULT.withPolicy(new TreePolicy.Tide());
        assertThatThrownBy(() -> options.withSessions(true)).hasMessageContaining("goes neither with sessions");
        assertThatThrownBy(() -> options.withRebuildEachWalk(true)).hasMessageContaining("nor with a heap rebuilt");
    }
}
