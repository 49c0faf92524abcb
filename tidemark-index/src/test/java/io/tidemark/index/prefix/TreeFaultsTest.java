package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that other caches had, as far as an index can have them; docs/prefix-tree-acceptance.md lists them. */
class TreeFaultsTest {
    private static final int KEYS = 10;
    private static final TreeOptions PARTS =
            TreeOptions.DEFAULT.withComponents(ComponentOptions.window(1_000).withStates());

    private final List<String> victims = new ArrayList<>();
    private final List<Integer> freedStates = new ArrayList<>();
    private final MatchResult match = new MatchResult();

    @Test
    void g01_aStoredKeyCountsAsUsedAndTheOldestUseGoes() {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT);
        IntStream.rangeClosed(1, 4).forEach(key -> insert(tree, key));
        IntStream.rangeClosed(1, 4).forEach(key -> match(tree, key));
        tree.evict(1);
        insert(tree, 5);
        tree.evict(1);
        insert(tree, 6);
        assertThat(victims).containsExactly("[1]", "[2]");
        assertThat(tree.dump().stream().map(node -> tree.path(node.node())[0])).containsExactly(3, 4, 5, 6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lru", "mru", "fifo", "filo", "lfu", "priority", "slru", "tlru", "gdsf", "tide"})
    void g11_whatWasHeldAndUncountedIsEvictableInItsTurn(String policy) {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT.withPolicy(TreePolicy.named(policy)));
        List<Integer> held = new ArrayList<>();
        for (int key = 1; key <= KEYS; key++) {
            tree.insert(key(key), new Insertion<>(CountedSlots.SLOTS).countedLength(1));
            match(tree, key);
            tree.lock(match.deviceNode());
            held.add(match.deviceNode());
        }
        assertThat(tree.evict(KEYS)).isZero();
        held.forEach(tree::unlock);
        IntStream.rangeClosed(101, 100 + KEYS).forEach(key -> insert(tree, key));
        assertThat(tree.evictableUnits()).isEqualTo(2 * KEYS);
        assertThat(tree.deviceLeaves()).isEqualTo(2 * KEYS);
        assertThat(tree.evict(2 * KEYS)).isEqualTo(2 * KEYS);
        assertThat(victims).hasSize(2 * KEYS).doesNotHaveDuplicates();
    }

    @Test
    void g12_aNodeThatIsUsedAgainKnowsNothingOfTheOneBefore() {
        PrefixTree<CountedSlots> tree = tree(TreeOptions.DEFAULT.withSessions(true));
        Insertion<CountedSlots> insertion = new Insertion<>(CountedSlots.SLOTS);
        tree.insert(key(1, 2, 3), insertion.priority(9));
        tree.insert(key(1, 2, 3), insertion);
        int before = insertion.node();
        tree.registerSession("s", tree.openSession("s"), before);
        tree.evict(3);
        tree.insert(key(7, 8), new Insertion<>(CountedSlots.SLOTS));
        NodeInfo node = tree.dump().getFirst();
        assertThat(node.node()).isEqualTo(before);
        assertThat(List.of(node.length(), node.hits(), node.priority(), node.sessions(), node.locks()))
                .containsExactly(2, 1, 0, 0, 0);
        assertThat(match(tree, 1, 2, 3)).isZero();
        assertThat(match(tree, 7, 8)).isEqualTo(2);
    }

    /** A group is a node here: its full values, its window and its state. */
    @Test
    void g128_aPrefixIsGoodUpToTheGroupThatLacksAPart() {
        PrefixTree<CountedSlots> tree = tree(PARTS);
        int[] prompt = IntStream.rangeClosed(1, 10).toArray();
        for (int groups = 1; groups <= 10; groups++) {
            insertGroups(tree, prompt, groups);
        }
        insertGroups(tree, prompt, 6); // a use: group 7 holds the oldest window now
        assertThat(tree.evictWindow(1)).isEqualTo(1);
        tree.peek(key(prompt), match);
        assertThat(List.of(match.length(), match.fullLength())).containsExactly(6, 10);
        assertThat(match(tree, prompt)).isEqualTo(6);
        tree.evict(4);
        assertThat(victims)
                .as("what no match reaches goes before what it reaches")
                .containsExactly(
                        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]",
                        "[1, 2, 3, 4, 5, 6, 7, 8, 9]",
                        "[1, 2, 3, 4, 5, 6, 7, 8]",
                        "[1, 2, 3, 4, 5, 6, 7]");
        assertThat(match(tree, prompt)).isEqualTo(6);
    }

    @Test
    void g130_aGroupOfWhichOnePartIsHeldStaysWhole() {
        PrefixTree<CountedSlots> tree = tree(PARTS);
        int[] prompt = {1, 2, 3};
        insertGroups(tree, prompt, 3);
        match(tree, prompt);
        int node = match.deviceNode();
        int receipt = tree.lock(node);
        assertThat(List.of(tree.evict(1), tree.evict(Long.MAX_VALUE), tree.evictWindow(100), tree.evictStates(100)))
                .containsOnly(0L);
        assertThat(List.of(tree.size(), tree.lockedUnits(), tree.lockedWindowUnits(), tree.states()))
                .containsExactly(1, 3L, 3L, 1L);
        tree.unlock(node, receipt);
        assertThat(tree.evict(1)).isEqualTo(3);
        assertThat(List.of(tree.size(), tree.evictableWindowUnits(), tree.states()))
                .containsExactly(0, 0L, 0L);
        assertThat(freedStates).containsExactly(3);
    }

    private PrefixTree<CountedSlots> tree(TreeOptions options) {
        List<PrefixTree<?>> self = new ArrayList<>();
        TreeListener listener = new TreeListener() {
            @Override
            public void victim(int node) {
                victims.add(Arrays.toString(self.getFirst().path(node)));
            }
        };
        PrefixTree<CountedSlots> tree = new PrefixTree<>(
                options,
                TreeServices.deviceOnly(CountedSlots.SLOTS)
                        .withWindows(CountedSlots.SLOTS)
                        .withStates(freedStates::add)
                        .withListener(listener));
        self.add(tree);
        return tree;
    }

    private static void insert(PrefixTree<CountedSlots> tree, int... tokens) {
        tree.insert(key(tokens), new Insertion<>(CountedSlots.SLOTS));
    }

    /** The first groups of the prompt, of one unit each, with windows from the start and a state at the end. */
    private static void insertGroups(PrefixTree<CountedSlots> tree, int[] prompt, int groups) {
        Insertion<CountedSlots> insertion = new Insertion<>(CountedSlots.SLOTS)
                .windowValues(CountedSlots.SLOTS)
                .windowStart(0)
                .state(groups);
        tree.insert(new TokenKey().set(0, prompt, groups), insertion);
        tree.sanityCheck();
    }

    private int match(PrefixTree<CountedSlots> tree, int... tokens) {
        tree.match(key(tokens), match);
        tree.sanityCheck();
        return match.length();
    }

    private static TokenKey key(int... tokens) {
        return new TokenKey().set(0, tokens);
    }
}
