package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Windows and states, one behaviour a test; {@link PrefixTreeDifferentialTest} has the rest. */
class ComponentsTest {
    private static final TreeOptions WINDOW_4 = TreeOptions.DEFAULT.withComponents(ComponentOptions.window(4));
    private static final TreeOptions STATES = TreeOptions.DEFAULT.withComponents(ComponentOptions.NONE.withStates());

    private final BitPool pool = new BitPool(100);
    private final BitPool windowPool = new BitPool(100);
    private final List<Integer> freedStates = new ArrayList<>();
    private final MatchResult match = new MatchResult();
    private final Insertion<int[]> insertion = new Insertion<>(new int[0]);

    @Test
    void aLeafIsCutSoThatItsLockKeepsOneWindow() {
        PrefixTree<int[]> tree = tree(WINDOW_4);
        insert(tree, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(tree.dump()).extracting(NodeInfo::length).containsExactly(5, 4);
        match(tree, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        int receipt = tree.lock(match.deviceNode());
        assertThat(List.of(tree.lockedUnits(), tree.lockedWindowUnits())).containsExactly(9L, 4L);
        tree.unlock(match.deviceNode(), receipt);
        assertThat(tree.evictableWindowUnits()).isEqualTo(9);
    }

    @Test
    void aMatchEndsWhereTheLastWindowIsWhole() {
        PrefixTree<int[]> tree = tree(WINDOW_4);
        insert(tree, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(tree.evictWindow(1)).isEqualTo(5);
        assertThat(match(tree, 1, 2, 3, 4, 5, 6, 7, 8, 9)).isEqualTo(9);
        assertThat(match(tree, 1, 2, 3, 4, 5, 6, 7, 8, 0)).isZero();
        assertThat(match.fullLength()).isEqualTo(8);
        assertThat(match(tree, 1, 2, 3, 4)).isZero();
    }

    @Test
    void whatTheRequestLostOfItsWindowStaysATombstoneUntilAnotherBringsIt() {
        PrefixTree<int[]> tree = tree(WINDOW_4);
        insert(tree, 6, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(tree.evictableWindowUnits()).isEqualTo(3);
        assertThat(match(tree, 1, 2, 3, 4, 5, 6, 7, 8, 9)).isZero();
        int before = pool.free();
        insert(tree, 0, 1, 2, 3, 4, 5, 6);
        assertThat(pool.free()).isEqualTo(before);
        assertThat(insertion.duplicates())
                .as("the tree took the request's values for its own")
                .isZero();
        assertThat(match(tree, 1, 2, 3, 4, 5, 6, 7, 8, 9)).isEqualTo(9);
    }

    @Test
    void aLockedTombstoneKeepsItsFullValues() {
        PrefixTree<int[]> tree = tree(WINDOW_4);
        insert(tree, 0, 1, 2, 3, 4, 5, 6, 7, 8);
        match(tree, 1, 2, 3, 4, 5, 6, 7, 8);
        int receipt = tree.lock(match.deviceNode());
        assertThat(tree.evictWindow(100))
                .as("only what lies above the last window")
                .isEqualTo(4);
        insert(tree, 0, 1, 2, 3, 4);
        assertThat(insertion.duplicates()).isEqualTo(4);
        assertThat(List.of(tree.lockedUnits(), tree.lockedWindowUnits(), tree.evictableWindowUnits()))
                .containsExactly(8L, 4L, 4L);
        tree.unlock(match.deviceNode(), receipt);
    }

    @Test
    void aRequestBeyondItsPrefixGivesTheWindowUpBeforeTheLock() {
        PrefixTree<int[]> tree = tree(WINDOW_4);
        insert(tree, 0, 1, 2, 3, 4);
        match(tree, 1, 2, 3, 4);
        int node = match.deviceNode();
        int receipt = tree.lock(node);
        assertThat(tree.evictWindow(4)).isZero();
        int released = tree.releaseComponents(node, receipt);
        assertThat(tree.evictWindow(4)).isEqualTo(4);
        assertThat(tree.evict(4)).as("the path is locked still").isZero();
        tree.unlock(node, released);
        assertThat(tree.evict(4)).isEqualTo(4);
    }

    @Test
    void revealedTombstonesGoInTheSameWalkOnlyIfAskedTo() {
        for (boolean takes : new boolean[] {false, true}) {
            ComponentOptions window = ComponentOptions.window(2);
            PrefixTree<int[]> tree = tree(TreeOptions.DEFAULT.withComponents(takes ? window.takingRevealed() : window));
            insert(tree, 0, 1, 2, 3, 4, 5, 6);
            assertThat(tree.evictWindow(5)).isEqualTo(6);
            assertThat(tree.size()).isEqualTo(takes ? 0 : 1);
            assertThat(match(tree, 1, 2, 3, 4, 5, 6)).isZero();
        }
    }

    @Test
    void aMatchEndsAtTheLastStateAndALockKeepsIt() {
        PrefixTree<int[]> tree = tree(STATES);
        insertion.state(1);
        insert(tree, 0, 1, 2, 3);
        insertion.state(2);
        insert(tree, 0, 1, 2, 3, 4, 5);
        insertion.state(3);
        insert(tree, 0, 1, 2, 3, 4, 5);
        assertThat(insertion.stateKept()).as("the end had a state").isFalse();
        assertThat(match(tree, 1, 2, 3, 4, 9)).isEqualTo(3);
        assertThat(tree.state(match.deviceNode())).isEqualTo(1);
        assertThat(match.fullLength()).isEqualTo(4);
        int receipt = tree.lock(match.deviceNode());
        assertThat(tree.evictStates(9)).isEqualTo(1);
        assertThat(freedStates).containsExactly(2);
        tree.unlock(match.deviceNode(), receipt);
        assertThat(tree.evictStates(9)).isEqualTo(1);
    }

    @Test
    void aTombstoneOfTheWindowHasNoStateEither() {
        PrefixTree<int[]> tree = tree(
                TreeOptions.DEFAULT.withComponents(ComponentOptions.window(2).withStates()));
        insertion.state(7);
        insert(tree, 0, 1, 2);
        insertion.state(8);
        insert(tree, 0, 1, 2, 3, 4);
        assertThat(tree.evictWindow(1)).isEqualTo(2);
        assertThat(freedStates).containsExactly(7);
        assertThat(tree.states()).isEqualTo(1);
    }

    @Test
    void wrongReceiptsAndSettingsAreRefused() {
        PrefixTree<int[]> tree = tree(WINDOW_4);
        insert(tree, 0, 1, 2, 3, 4, 5, 6, 7, 8);
        match(tree, 1, 2, 3, 4, 5, 6, 7, 8);
        int node = match.deviceNode();
        int receipt = tree.lock(node);
        assertThatThrownBy(() -> tree.unlock(node)).hasMessageContaining("wants the receipt");
        assertThatThrownBy(() -> tree.unlock(node, receipt + 3)).hasMessageContaining("is not that of a lock");
        tree.sanityCheck();
        tree.unlock(node, receipt);
        assertThatThrownBy(() -> tree.unlock(node, receipt)).hasMessageContaining("is not that of a lock");
        assertThatThrownBy(() -> WINDOW_4.withSessions(true)).hasMessageContaining("no host tier and no sessions");
        assertThatThrownBy(() -> insert(tree(WINDOW_4.withPageSize(2)), 1, 1, 2, 3, 4))
                .hasMessageContaining("start at unit 1, expected a multiple of the page size, 2");
    }

    private PrefixTree<int[]> tree(TreeOptions options) {
        return new PrefixTree<>(
                options,
                TreeServices.deviceOnly(new IntSlots(pool))
                        .withWindows(new IntSlots(windowPool))
                        .withStates(freedStates::add));
    }

    private void insert(PrefixTree<int[]> tree, int windowStart, int... tokens) {
        int[] values =
                IntStream.range(0, tokens.length).map(i -> pool.take(true)).toArray();
        int[] windows = new int[tokens.length];
        Arrays.setAll(windows, i -> i < windowStart ? 0 : windowPool.take(true));
        insertion.values(values).windowValues(windows).windowStart(windowStart);
        tree.insert(new TokenKey().set(0, tokens), insertion);
        tree.sanityCheck();
    }

    private int match(PrefixTree<int[]> tree, int... tokens) {
        tree.match(new TokenKey().set(0, tokens), match);
        tree.sanityCheck();
        return match.length();
    }
}
