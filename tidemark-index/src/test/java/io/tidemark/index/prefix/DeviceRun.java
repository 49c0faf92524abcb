package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Gives the same steps to a tree over the device and to the naive one, and compares everything they say. */
final class DeviceRun implements SlotPool, TreeListener, Shrinking.Subject {
    private static final int SLOTS = 120;

    /** A lock that is held, in both trees. */
    private record Locked(int node, NaiveTree.Node naive) {}

    private final PrefixTree<int[]> tree;
    private final IntSlots slots = new IntSlots(this);
    private final NaiveTree naive;
    private final BitSet free = new BitSet();
    private final List<Integer> freed = new ArrayList<>();
    private final List<String> victims = new ArrayList<>();
    private final List<Locked> locked = new ArrayList<>();
    private final TokenKey key = new TokenKey();
    private final MatchResult match = new MatchResult();
    private final Insertion<int[]> insertion = new Insertion<>(new int[0]);
    private int end = PrefixTree.ROOT;
    private NaiveTree.Node naiveEnd;

    DeviceRun(TreeOptions options, TreeParts.LeafSetsFactory leafSets) {
        this.tree = new PrefixTree<>(options, TreeServices.deviceOnly(slots).withListener(this), leafSets);
        this.naive = new NaiveTree(options);
        this.naiveEnd = naive.root();
        free.set(0, SLOTS);
        tree.namespace(new Namespace(Optional.of("lora"), Optional.empty()));
    }

    @Override
    public void step(TreeStep step) {
        Random random = step.arguments();
        switch (step.kind()) {
            case INSERT -> insert(random);
            case MATCH -> match(random);
            case LOCK -> lock(random);
            case UNLOCK -> unlock(random);
            case EVICT -> evict(1 + random.nextInt(40));
            case OPEN -> {
                String session = session(random);
                assertThat(tree.openSession(session)).isEqualTo(naive.open(session));
            }
            case REGISTER -> register(random);
            case RELEASE -> {
                String session = session(random);
                tree.releaseSession(session);
                naive.release(session);
            }
            case WRITES_DONE, LOADS_DONE, LOAD, EVICT_HOST -> {}
        }
        compare();
    }

    /** Unlocks and evicts everything: the complete order. */
    @Override
    public void finish() {
        while (!locked.isEmpty()) {
            unlock(new Random(0));
        }
        evict(Integer.MAX_VALUE);
        compare();
        assertThat(tree.size()).isZero();
        assertThat(free.cardinality()).isEqualTo(SLOTS);
    }

    private void insert(Random random) {
        int namespace = random.nextInt(2);
        int[] tokens = TreeStep.tokens(random);
        int units = tree.units(tokens.length);
        if (free.cardinality() < units) {
            evict(units - free.cardinality());
        }
        if (free.cardinality() < units) {
            return;
        }
        int[] values = new int[units];
        int own = 0;
        if (random.nextInt(3) == 0) { // as a request that matched and locked its prefix before
            tree.match(key.set(namespace, tokens), match);
            naive.match(namespace, tokens);
            own = match.deviceLength();
            System.arraycopy(pathSlots(match.deviceNode(), own), 0, values, 0, own);
        }
        for (int i = own; i < units; i++) {
            values[i] = random.nextInt(4) > 0 ? free.nextSetBit(0) : free.previousSetBit(SLOTS);
            free.clear(values[i]);
        }
        int priority = random.nextInt(3);
        int counted = random.nextInt(4) > 0 ? 0 : random.nextInt(20);
        insertion.values(values).priority(priority).protectedLength(own).countedLength(counted);
        tree.insert(key.set(namespace, tokens), insertion);
        end = insertion.node();
        naiveEnd = naive.insert(namespace, tokens, values, priority, own, counted);
        assertThat(tree.path(end)).isEqualTo(naive.path(naiveEnd));
        assertThat(insertion.duplicates()).isEqualTo(insertion.prefixLength() - own);
    }

    private void match(Random random) {
        int namespace = random.nextInt(2);
        int[] tokens = TreeStep.tokens(random);
        tree.match(key.set(namespace, tokens), match);
        NaiveTree.Node expected = naive.match(namespace, tokens);
        assertThat(tree.path(match.deviceNode())).isEqualTo(naive.path(expected));
        assertThat(match.deviceLength()).isEqualTo(expected.depth);
        if (expected != naive.root()) {
            assertThat(slotsOf(match.deviceNode())).containsExactly(expected.slots.toArray(Integer[]::new));
        }
    }

    private void lock(Random random) {
        int namespace = random.nextInt(2);
        int[] tokens = TreeStep.tokens(random);
        tree.match(key.set(namespace, tokens), match);
        NaiveTree.Node node = naive.match(namespace, tokens);
        if (locked.size() < 8) {
            tree.lock(match.deviceNode());
            naive.lock(node, 1);
            locked.add(new Locked(match.deviceNode(), node));
        }
    }

    private void unlock(Random random) {
        if (!locked.isEmpty()) {
            Locked lock = locked.remove(random.nextInt(locked.size()));
            tree.unlock(lock.node());
            naive.lock(lock.naive(), -1);
        }
    }

    private void evict(int units) {
        victims.clear();
        long count = tree.evict(units);
        List<NaiveTree.Node> expected = naive.evict(units);
        assertThat(victims)
                .isEqualTo(expected.stream()
                        .map(node -> node.namespace + Arrays.toString(naive.path(node)))
                        .toList());
        assertThat(count)
                .isEqualTo(expected.stream().mapToInt(node -> node.units.size()).sum());
        if (expected.contains(naiveEnd)) {
            end = PrefixTree.ROOT;
            naiveEnd = naive.root();
        }
    }

    private void register(Random random) {
        String session = session(random);
        long generation = random.nextInt(10);
        if (random.nextInt(5) > 0) {
            generation = tree.ensureSession(session);
            assertThat(generation).isEqualTo(naive.ensure(session));
        }
        tree.registerSession(session, generation, end);
        naive.register(session, generation, naiveEnd);
    }

    private void compare() {
        tree.sanityCheck();
        assertThat(freed).isEqualTo(naive.freed);
        freed.clear();
        naive.freed.clear();
        assertThat(free.cardinality() + tree.evictableUnits() + tree.lockedUnits())
                .isEqualTo(SLOTS);
        assertThat(tree.size()).isEqualTo(naive.nodes().size());
    }

    private static String session(Random random) {
        return "s" + random.nextInt(5);
    }

    private int[] slotsOf(int node) {
        int[] own = new int[tree.length(node)];
        slots.copy(node, own.length, own, 0);
        return own;
    }

    private int[] pathSlots(int node, int length) {
        int[] path = new int[length];
        int end = length;
        for (int at = node; at != PrefixTree.ROOT; at = tree.parent(at)) {
            int[] own = slotsOf(at);
            end -= own.length;
            System.arraycopy(own, 0, path, end, own.length);
        }
        return path;
    }

    @Override
    public void victim(int node) {
        victims.add(tree.namespaceOf(node) + Arrays.toString(tree.path(node)));
    }

    @Override
    public void free(int first, int count) {
        for (int slot = first; slot < first + count; slot++) {
            assertThat(free.get(slot)).as("slot %d freed twice", slot).isFalse();
            free.set(slot);
            freed.add(slot);
        }
    }

    @Override
    public void allocate(int[] target, int count) {
        throw new AssertionError("nothing is loaded back from a host that is not there");
    }
}
