package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NamespacesTest {
    private static final int MANY = 3 * Namespaces.IDLE_MAX;

    private static Namespace salted(int user) {
        return new Namespace(Optional.empty(), Optional.of("user-" + user));
    }

    @Test
    void asManyAsThereAreUsersTakeNoMoreThanTheLastOnes() {
        Namespaces namespaces = new Namespaces();
        Set<Integer> given = new HashSet<>();
        for (int user = 0; user < MANY; user++) {
            int id = namespaces.id(salted(user));
            assertThat(given.add(id))
                    .as("a number stands for one namespace only")
                    .isTrue();
        }
        assertThat(namespaces.bytes()).isLessThan(300L * Namespaces.IDLE_MAX);
        int last = namespaces.id(salted(MANY - 1));
        assertThat(namespaces.get(last)).isEqualTo(salted(MANY - 1));
        assertThatThrownBy(() -> namespaces.require(1)).hasMessageContaining("was forgotten");
        assertThat(given.add(namespaces.id(salted(0)))).as("asked for again").isTrue();
    }

    @Test
    void oneWithNodesStaysAndGoesOnceTheyAreGone() {
        Namespaces namespaces = new Namespaces();
        int busy = namespaces.id(salted(-1));
        namespaces.nodeAdded(busy);
        namespaces.nodeAdded(busy);
        namespaces.nodeRemoved(busy);
        for (int user = 0; user < MANY; user++) {
            namespaces.id(salted(user));
        }
        assertThat(namespaces.id(salted(-1))).isEqualTo(busy);
        namespaces.nodeRemoved(busy);
        for (int user = 0; user < Namespaces.IDLE_MAX; user++) {
            namespaces.id(salted(MANY + user));
        }
        assertThatThrownBy(() -> namespaces.require(busy)).hasMessageContaining("was forgotten");
    }

    @Test
    void aForgottenNumberIsRefusedByTheTreeAndNeverFindsAnothersTokens() {
        PrefixTree<CountedSlots> tree =
                new PrefixTree<>(TreeOptions.DEFAULT, TreeServices.deviceOnly(CountedSlots.SLOTS));
        int[] tokens = {1, 2, 3, 4};
        int first = tree.namespace(salted(0));
        insert(tree, first, tokens);
        for (int user = 1; user < MANY; user++) {
            tree.namespace(salted(user));
        }
        assertThat(hit(tree, first, tokens)).isEqualTo(4);
        tree.evict(4);
        for (int user = 0; user < Namespaces.IDLE_MAX; user++) {
            insert(tree, tree.namespace(salted(MANY)), tokens);
            tree.namespace(salted(MANY + 1 + user));
        }
        assertThatThrownBy(() -> hit(tree, first, tokens)).isInstanceOf(IllegalArgumentException.class);
        assertThat(hit(tree, tree.namespace(salted(0)), tokens)).isZero();
        tree.sanityCheck();
        tree.reset();
        assertThat(hit(tree, tree.namespace(salted(MANY)), tokens)).isZero();
    }

    private static void insert(PrefixTree<CountedSlots> tree, int namespace, int[] tokens) {
        Insertion<CountedSlots> insertion = new Insertion<>(CountedSlots.SLOTS);
        tree.insert(new TokenKey().set(namespace, tokens), insertion);
    }

    private static int hit(PrefixTree<CountedSlots> tree, int namespace, int[] tokens) {
        MatchResult result = new MatchResult();
        tree.match(new TokenKey().set(namespace, tokens), result);
        return result.deviceLength();
    }

    @Test
    void sessionsThatAreOpenedAndNeverReleasedAreForgottenInTheEnd() {
        PrefixTree<CountedSlots> tree =
                new PrefixTree<>(TreeOptions.DEFAULT.withSessions(true), TreeServices.deviceOnly(CountedSlots.SLOTS));
        int[] tokens = {1, 2, 3, 4};
        insert(tree, 0, tokens);
        long marking = tree.openSession("marking");
        MatchResult result = new MatchResult();
        tree.match(new TokenKey().set(0, tokens), result);
        tree.registerSession("marking", marking, result.deviceNode());
        long idle = tree.openSession("idle");
        for (int session = 0; session < Sessions.UNMARKED_MAX + 10; session++) {
            tree.openSession("session-" + session);
        }
        assertThat(tree.ensureSession("marking")).isEqualTo(marking);
        assertThat(tree.ensureSession("idle")).as("a new one").isNotEqualTo(idle);
        tree.sanityCheck();
    }
}
