package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrefixTreeTest {
    private final List<String> victims = new ArrayList<>();
    private IntConsumer atVictim = node -> {};
    private final MatchResult match = new MatchResult();

    @Test
    void whatWasInsertedIsFoundInWholePages() {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT.withPageSize(4));
        insert(tree, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(match(tree, 1, 2, 3, 4, 5, 6, 7, 8, 9)).isEqualTo(8);
        assertThat(match(tree, 1, 2, 3, 4, 5, 6, 9, 9)).isEqualTo(4);
        assertThat(match(tree, 1, 2, 3)).isZero();
        assertThat(tree.evictableUnits()).isEqualTo(8);
    }

    @Test
    void namespacesNeverMatchEachOther() {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT);
        int lora = tree.namespace(new Namespace(Optional.of("lora"), Optional.empty()));
        int salted = tree.namespace(new Namespace(Optional.of("lora"), Optional.of("salt")));
        insert(tree, 1, 2, 3);
        assertThat(List.of(lora, salted, tree.namespace(new Namespace(Optional.of("lora"), Optional.of("")))))
                .containsExactly(1, 2, 1);
        tree.match(new TokenKey().set(lora, new int[] {1, 2, 3}), match);
        assertThat(match.length()).isZero();
        assertThatThrownBy(() -> tree.match(new TokenKey().set(3, new int[] {1}), match))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown namespace 3");
    }

    @Test
    void aLockedPathStaysAndItsUnlockMakesItEvictableAgain() {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT);
        insert(tree, 1, 2, 3, 4);
        insert(tree, 1, 2, 9, 9);
        match(tree, 1, 2, 3, 4);
        int node = match.deviceNode();
        tree.lock(node);
        tree.lock(node);
        assertThat(tree.lockedUnits()).isEqualTo(4);
        assertThat(tree.evict(100)).isEqualTo(2);
        tree.unlock(node);
        assertThat(tree.evict(100)).isZero();
        tree.unlock(node);
        assertThat(tree.evict(100)).isEqualTo(4);
        assertThatThrownBy(() -> tree.unlock(node)).hasMessageContaining("node " + node + " is not in the tree");
    }

    @Test
    void anUnlockTooManyIsRefused() {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT);
        insert(tree, 1, 2);
        match(tree, 1, 2);
        assertThatThrownBy(() -> tree.unlock(match.deviceNode()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has 0 locks");
        tree.sanityCheck();
    }

    @Test
    void callsFromInsideAWalkAreRefusedAndChangeNothing() {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT);
        insert(tree, 1);
        insert(tree, 2);
        List<Throwable> refusals = new ArrayList<>();
        atVictim = node -> {
            for (Runnable call :
                    List.<Runnable>of(() -> tree.evict(1), () -> insert(tree, 3), () -> match(tree, 1), tree::reset)) {
                try {
                    call.run();
                } catch (IllegalStateException e) {
                    refusals.add(e);
                }
            }
        };
        assertThat(tree.evict(1)).isEqualTo(1);
        assertThat(refusals).hasSize(4).allSatisfy(e -> assertThat(e).hasMessageContaining("from inside evict"));
        tree.sanityCheck();
        assertThat(victims).containsExactly("[1]");
    }

    @Test
    void anExceptionInTheMiddleOfAWalkLeavesTheTreeWhole() {
        for (boolean rebuild : new boolean[] {false, true}) {
            for (String policy : List.of("lru", "lfu", "mru")) {
                victims.clear();
                atVictim = node -> {};
                PrefixTree<CountedSlots> tree = tree(
                        TreeOptions.DEFAULT.withPolicy(TreePolicy.named(policy)).withRebuildEachWalk(rebuild));
                IntStream.rangeClosed(1, 9).forEach(token -> insert(tree, token));
                atVictim = node -> {
                    if (victims.size() == 4) {
                        throw new IllegalArgumentException("listener gave up");
                    }
                };
                assertThatThrownBy(() -> tree.evict(9)).hasMessage("listener gave up");
                tree.sanityCheck();
                assertThat(tree.evictableUnits()).isEqualTo(6);
                atVictim = node -> {};
                assertThat(tree.evict(9)).isEqualTo(6);
                assertThat(victims.subList(3, 4)).isEqualTo(victims.subList(4, 5));
            }
        }
    }

    @Test
    void anExceptionOfTheSlotOwnerLeavesTheTreeWhole() {
        IntSlots slots = new IntSlots(new SlotPool() {
            @Override
            public void free(int first, int count) {
                throw new IllegalArgumentException("pool is closed");
            }

            @Override
            public void allocate(int[] target, int count) {
                throw new AssertionError("not asked here");
            }
        });
        PrefixTree<int[]> tree = new PrefixTree<>(TreeOptions.DEFAULT, TreeServices.deviceOnly(slots));
        tree.insert(new TokenKey().set(0, new int[] {1, 2}), new Insertion<>(new int[] {8, 9}));
        assertThatThrownBy(() -> tree.evict(1)).hasMessage("pool is closed");
        tree.sanityCheck();
        assertThat(tree.size()).isZero();
    }

    @Test
    void resetEmptiesTreeOrdersLocksAndSessions() {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT.withSessions(true));
        insert(tree, 1, 2, 3);
        match(tree, 1, 2, 3);
        tree.lock(match.deviceNode());
        tree.registerSession("s", tree.openSession("s"), match.deviceNode());
        tree.reset();
        tree.sanityCheck();
        assertThat(List.of(tree.size(), tree.deviceLeaves())).containsOnly(0);
        assertThat(tree.lockedUnits() + tree.evictableUnits() + tree.evict(10)).isZero();
        assertThat(match(tree, 1, 2, 3)).isZero();
        assertThat(tree.openSession("s")).isEqualTo(1);
    }

    @Test
    void keysMayBecomeMoreUrgent() {
        PrefixTree<CountedSlots> mru = tree(TreeOptions.DEFAULT.withPolicy(new TreePolicy.Mru()));
        IntStream.rangeClosed(1, 3).forEach(token -> insert(mru, token));
        match(mru, 1);
        mru.evict(1);
        PrefixTree<CountedSlots> sessions = tree(TreeOptions.DEFAULT.withSessions(true));
        IntStream.rangeClosed(4, 5).forEach(token -> insert(sessions, token));
        match(sessions, 4);
        sessions.registerSession("s", sessions.openSession("s"), match.deviceNode());
        match(sessions, 5);
        sessions.registerSession("t", sessions.openSession("t"), match.deviceNode());
        sessions.releaseSession("t");
        sessions.evict(1);
        assertThat(victims).containsExactly("[1]", "[5]");
    }

    @Test
    void aClosedSessionIsIgnoredUntilItIsOpened() {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT.withSessions(true));
        insert(tree, 1);
        insert(tree, 2);
        match(tree, 1);
        long first = tree.openSession("s");
        tree.releaseSession("s");
        tree.registerSession("s", first, match.deviceNode());
        assertThat(references(tree)).containsExactly(0, 0);
        long second = tree.openSession("s");
        tree.registerSession("s", first, match.deviceNode());
        assertThat(references(tree)).containsExactly(0, 0);
        tree.registerSession("s", second, match.deviceNode());
        assertThat(references(tree)).containsExactly(1, 0);
    }

    @Test
    void peekFindsWhatMatchWouldAndChangesNothing() {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT.withPageSize(2));
        insert(tree, 1, 2, 3, 4, 5, 6);
        insert(tree, 1, 2, 9, 9);
        List<NodeInfo> before = tree.dump();
        for (int[] tokens : List.of(
                new int[] {1, 2, 3, 4, 5, 6, 7},
                new int[] {1, 2, 3, 4, 8},
                new int[] {1, 2},
                new int[] {5},
                new int[] {})) {
            tree.peek(new TokenKey().set(0, tokens), match);
            int peeked = match.deviceLength();
            assertThat(tree.dump()).usingRecursiveComparison().isEqualTo(before);
            PrefixTree<CountedSlots> twin = tree(TreeOptions.DEFAULT.withPageSize(2));
            insert(twin, 1, 2, 3, 4, 5, 6);
            insert(twin, 1, 2, 9, 9);
            assertThat(peeked).isEqualTo(match(twin, tokens));
        }
    }

    @Test
    void appendStoresWhatAnInsertOfTheWholeWould() {
        for (boolean bigram : new boolean[] {false, true}) {
            PrefixTree<CountedSlots> appended = tree(TreeOptions.DEFAULT.withBigram(bigram));
            insert(appended, 1, 2, 3);
            match(appended, 1, 2, 3);
            appended.lock(match.deviceNode());
            Insertion<CountedSlots> insertion = new Insertion<>(CountedSlots.SLOTS);
            int[] suffix = bigram ? new int[] {3, 4, 5} : new int[] {4, 5};
            appended.append(match.deviceNode(), new TokenKey().set(0, suffix), insertion);
            appended.sanityCheck();
            PrefixTree<CountedSlots> whole = tree(TreeOptions.DEFAULT.withBigram(bigram));
            insert(whole, 1, 2, 3);
            insert(whole, 1, 2, 3, 4, 5);
            assertThat(appended.path(insertion.node())).containsExactly(1, 2, 3, 4, 5);
            assertThat(paths(appended)).isEqualTo(paths(whole));
            assertThat(appended.stats().evictableUnits()).isEqualTo(2);
        }
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT.withBigram(true));
        insert(tree, 1, 2, 3);
        match(tree, 1, 2, 3);
        assertThatThrownBy(() -> tree.append(
                        match.deviceNode(),
                        new TokenKey().set(0, new int[] {4, 5}),
                        new Insertion<>(CountedSlots.SLOTS)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("starts with token 4, expected 3");
    }

    @Test
    void aCheckpointMovesTheLockAndKeepsThePromptApartFromTheAnswer() {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT);
        insert(tree, 1, 2);
        match(tree, 1, 2, 3, 4, 5, 6);
        int first = tree.lock(match.deviceNode());
        Insertion<CountedSlots> insertion = new Insertion<>(CountedSlots.SLOTS).protectedLength(2);
        TokenKey key = new TokenKey().set(0, new int[] {1, 2, 3, 4, 5, 6});
        int receipt = tree.checkpoint(key, insertion, 4, match.deviceNode(), first);
        tree.sanityCheck();
        assertThat(List.of(insertion.prefixLength(), insertion.duplicates())).containsExactly(2, 0);
        assertThat(tree.path(insertion.node())).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(tree.dump()).extracting(NodeInfo::length).containsExactly(2, 2, 2);
        assertThat(tree.dump()).extracting(NodeInfo::priority).containsExactly(1, 1, 0);
        assertThat(tree.dump()).extracting(NodeInfo::hits).containsExactly(2, 1, 1);
        assertThat(tree.lockedUnits()).isEqualTo(6);
        tree.unlock(insertion.node(), receipt);
        assertThat(tree.evict(1)).isEqualTo(2);
        assertThat(match(tree, 1, 2, 3, 4, 5, 6)).isEqualTo(4);
    }

    @Test
    void g02_theTailOfAChainGoesFirst() {
        for (long seed = 0; seed < 200; seed++) {
            PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT);
            int[] tokens = new Random(seed).ints(9, 10, 1_000_000).toArray();
            insert(tree, Arrays.copyOf(tokens, 3));
            insert(tree, Arrays.copyOf(tokens, 6));
            insert(tree, tokens);
            match(tree, tokens);
            tree.lock(match.deviceNode());
            tree.unlock(match.deviceNode());
            insert(tree, 1, 2, 3);
            victims.clear();
            tree.evict(1);
            assertThat(victims).containsExactly(Arrays.toString(tokens));
            assertThat(match(tree, tokens)).isEqualTo(6);
        }
    }

    @Test
    void g50_aLockedNodeAndAllAboveItStayAndWhatIsBelowItGoes() {
        int[] tokens = {1, 2, 3, 4, 5, 6};
        for (int nodes = 1; nodes <= 3; nodes++) {
            for (int locked = 0; locked <= nodes; locked++) {
                PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT);
                for (int node = 1; node <= nodes; node++) {
                    insert(tree, Arrays.copyOf(tokens, 2 * node));
                }
                match(tree, Arrays.copyOf(tokens, 2 * locked));
                int pinned = locked == 0 ? PrefixTree.ROOT : match.deviceNode();
                tree.lock(pinned);
                assertThat(tree.evict(100))
                        .as("%s nodes below the root, the one at %s locked", nodes, locked)
                        .isEqualTo(2L * (nodes - locked));
                assertThat(match(tree, tokens)).isEqualTo(2 * locked);
                assertThat(tree.evict(100)).isZero();
                tree.unlock(pinned);
                assertThat(tree.evict(100)).isEqualTo(2L * locked);
                assertThat(match(tree, tokens)).isZero();
            }
        }
    }

    @Test
    void g71_evictionFreesTheRequestAndLessThanOneVictimMore() {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT);
        IntStream.rangeClosed(1, 1_000).forEach(token -> insert(tree, token));
        assertThat(tree.evict(10)).isEqualTo(10);
        assertThat(tree.evict(0)).isZero();
        PrefixTree<CountedSlots> sevens = tree(TreeOptions.DEFAULT);
        IntStream.rangeClosed(1, 10).forEach(token -> insert(sevens, token, 1, 2, 3, 4, 5, 6));
        assertThat(sevens.evict(10)).isEqualTo(14);
        assertThat(sevens.evictableUnits()).isEqualTo(56);
    }

    @Test
    void evictionStopsAsSoonAsTheAllocatorHasEnough() {
        long[] free = {0};
        PrefixTree<CountedSlots> tree = new PrefixTree<>(
                TreeOptions.DEFAULT,
                TreeServices.deviceOnly(CountedSlots.SLOTS)
                        .withRoom(() -> free[0])
                        .withListener(new TreeListener() {
                            @Override
                            public void delete(int node) {
                                free[0] += 5;
                            }
                        }));
        IntStream.rangeClosed(1, 10).forEach(token -> insert(tree, token));
        assertThat(tree.evictUntilFree(12)).isEqualTo(3);
        assertThat(tree.evictUntilFree(12)).isZero();
    }

    private PrefixTree<CountedSlots> tree(TreeOptions options) {
        PrefixTree<?>[] self = new PrefixTree<?>[1];
        TreeListener listener = new TreeListener() {
            @Override
            public void victim(int node) {
                victims.add(Arrays.toString(self[0].path(node)));
                atVictim.accept(node);
            }
        };
        PrefixTree<CountedSlots> tree = new PrefixTree<>(
                options, TreeServices.deviceOnly(CountedSlots.SLOTS).withListener(listener));
        self[0] = tree;
        return tree;
    }

    private static void insert(PrefixTree<CountedSlots> tree, int... tokens) {
        tree.insert(new TokenKey().set(0, tokens), new Insertion<>(CountedSlots.SLOTS));
    }

    private int match(PrefixTree<CountedSlots> tree, int... tokens) {
        tree.match(new TokenKey().set(0, tokens), match);
        return match.length();
    }

    private static List<String> paths(PrefixTree<?> tree) {
        return tree.dump().stream()
                .map(node -> Arrays.toString(tree.path(node.node())))
                .toList();
    }

    private static List<Integer> references(PrefixTree<?> tree) {
        return tree.dump().stream().map(NodeInfo::sessions).toList();
    }
}
