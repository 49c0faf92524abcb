package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Gives the same steps to a tree over the device and to the naive one, and compares everything they say. */
final class DeviceRun implements TreeListener, Shrinking.Subject {
    private static final int SLOTS = 120;
    private static final int WINDOW_SLOTS = 70;
    private static final int STATES = 9;

    /** A lock that is held, in both trees. */
    private record Locked(int node, int receipt, NaiveTree.Lock naive) {}

    private final PrefixTree<int[]> tree;
    private final TreeOptions options;
    private final BitPool pool = new BitPool(SLOTS);
    private final BitPool windowPool = new BitPool(WINDOW_SLOTS);
    private final BitPool statePool = new BitPool(STATES);
    private final IntSlots slots = new IntSlots(pool);
    private final IntSlots windows = new IntSlots(windowPool);
    private final NaiveTree naive;
    private final List<String> victims = new ArrayList<>();
    private final List<Locked> locked = new ArrayList<>();
    private final TokenKey key = new TokenKey();
    private final MatchResult match = new MatchResult();
    private final Insertion<int[]> insertion = new Insertion<>(new int[0]);
    private int[] lastInserted = {};
    private int end = PrefixTree.ROOT;
    private NaiveTree.Node naiveEnd;

    DeviceRun(TreeOptions options, TreeParts.LeafSetsFactory leafSets) {
        this.options = options;
        TreeServices<int[]> services = TreeServices.deviceOnly(slots)
                .withListener(this)
                .withWindows(windows)
                .withStates(state -> statePool.free(state, 1));
        this.tree = new PrefixTree<>(options, services, leafSets);
        this.naive = new NaiveTree(options);
        this.naiveEnd = naive.root();
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
            case EVICT_WINDOW -> evictWindow(1 + random.nextInt(20));
            case EVICT_STATES -> evictStates(1 + random.nextInt(3));
            case RELEASE_COMPONENTS -> releaseComponents(random);
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
        evictWindow(WINDOW_SLOTS / 2);
        evict(Integer.MAX_VALUE);
        compare();
        assertThat(tree.size()).isZero();
        assertThat(List.of(pool.free(), windowPool.free(), statePool.free()))
                .containsExactly(SLOTS, WINDOW_SLOTS, STATES);
    }

    private void insert(Random random) {
        int namespace = random.nextInt(2);
        int[] tokens = random.nextInt(6) == 0 ? lastInserted : TreeStep.tokens(random); // requests come again
        lastInserted = tokens;
        int units = tree.units(tokens.length);
        if (pool.free() < units) {
            evict(units - pool.free());
        }
        if (options.components().window() > 0 && windowPool.free() < units) {
            evictWindow(units - windowPool.free());
        }
        if (pool.free() < units || windowPool.free() < units) {
            return;
        }
        int state = takeState(random, units);
        int[] values = new int[units];
        int own = 0;
        if (random.nextInt(3) == 0) { // as a request that matched and locked its prefix before
            tree.match(key.set(namespace, tokens), match);
            naive.match(namespace, tokens);
            own = match.deviceLength();
            System.arraycopy(pathSlots(match.deviceNode(), own), 0, values, 0, own);
        }
        for (int i = own; i < units; i++) {
            values[i] = pool.take(random.nextInt(4) > 0);
        }
        NaiveTree.Request request = new NaiveTree.Request(
                values,
                new int[units],
                windowStart(random, units),
                state,
                random.nextInt(3),
                own,
                random.nextInt(4) > 0 ? 0 : random.nextInt(20));
        for (int i = Math.max(own, request.windowStart()); windowed() && i < units; i++) {
            request.windowSlots()[i] = windowPool.take(random.nextInt(4) > 0);
        }
        insert(namespace, tokens, request);
    }

    private void insert(int namespace, int[] tokens, NaiveTree.Request request) {
        insertion
                .values(request.slots())
                .windowValues(request.windowSlots())
                .windowStart(request.windowStart())
                .state(request.state())
                .priority(request.priority())
                .protectedLength(request.protectedLength())
                .countedLength(request.countedLength());
        tree.insert(key.set(namespace, tokens), insertion);
        end = insertion.node();
        naiveEnd = naive.insert(namespace, tokens, request);
        assertThat(tree.path(end)).isEqualTo(naive.path(naiveEnd));
        assertThat(tree.state(end)).isEqualTo(naiveEnd.state);
        boolean hasState = request.state() != Insertion.NO_STATE;
        assertThat(insertion.stateKept()).isEqualTo(hasState && naiveEnd.state == request.state());
        if (hasState && !insertion.stateKept()) {
            statePool.free(request.state(), 1);
            naive.freedStates.add(request.state());
        }
        if (!windowed()) {
            assertThat(insertion.duplicates()).isEqualTo(insertion.prefixLength() - request.protectedLength());
        }
    }

    private boolean windowed() {
        return options.components().window() > 0;
    }

    /** Requests often have lost the older part of their window. */
    private int windowStart(Random random, int units) {
        int start = windowed() && random.nextBoolean() ? random.nextInt(units + 4) : 0;
        return start / options.pageSize() * options.pageSize();
    }

    private int takeState(Random random, int units) {
        if (!options.components().states() || units == 0 || random.nextInt(4) == 0) {
            return Insertion.NO_STATE;
        }
        if (statePool.free() == 0) {
            evictStates(1);
        }
        return statePool.free() > 0 ? statePool.take(true) : Insertion.NO_STATE;
    }

    private void match(Random random) {
        int namespace = random.nextInt(2);
        int[] tokens = TreeStep.tokens(random);
        tree.peek(key.set(namespace, tokens), match);
        int peeked = match.deviceLength();
        tree.match(key.set(namespace, tokens), match);
        NaiveTree.Node expected = naive.match(namespace, tokens);
        assertThat(tree.path(match.deviceNode())).isEqualTo(naive.path(expected));
        assertThat(match.deviceLength()).isEqualTo(expected.depth).isEqualTo(peeked);
        if (expected != naive.root()) {
            assertThat(slotsOf(slots, match.deviceNode())).containsExactly(expected.slots.toArray(Integer[]::new));
        }
        if (!expected.window.isEmpty()) {
            assertThat(slotsOf(windows, match.deviceNode())).containsExactly(expected.window.toArray(Integer[]::new));
        }
    }

    private void lock(Random random) {
        int namespace = random.nextInt(2);
        int[] tokens = TreeStep.tokens(random);
        tree.match(key.set(namespace, tokens), match);
        NaiveTree.Node node = naive.match(namespace, tokens);
        if (locked.size() < 8) {
            int receipt = tree.lock(match.deviceNode());
            locked.add(new Locked(match.deviceNode(), receipt, naive.lock(node)));
        }
    }

    private void unlock(Random random) {
        if (!locked.isEmpty()) {
            Locked lock = locked.remove(random.nextInt(locked.size()));
            tree.unlock(lock.node(), lock.receipt());
            naive.unlock(lock.naive());
        }
    }

    private void releaseComponents(Random random) {
        if (!locked.isEmpty()) {
            int index = random.nextInt(locked.size());
            Locked lock = locked.get(index);
            if (lock.receipt() != PrefixTree.RELEASED) {
                int receipt = tree.releaseComponents(lock.node(), lock.receipt());
                locked.set(index, new Locked(lock.node(), receipt, naive.release(lock.naive())));
            }
        }
    }

    private void evict(int units) {
        victims.clear();
        long count = tree.evict(units);
        List<NaiveTree.Node> expected = naive.evict(units);
        assertThat(victims).isEqualTo(expected.stream().map(naive::describe).toList());
        assertThat(count)
                .isEqualTo(expected.stream().mapToInt(node -> node.units.size()).sum());
        forgetGoneEnd();
    }

    private void evictWindow(int units) {
        victims.clear();
        long count = tree.evictWindow(units);
        int before = naive.freedWindow.size();
        List<String> expected = windowed() ? naive.evictWindow(units) : List.of();
        assertThat(victims).isEqualTo(expected);
        assertThat(count).isEqualTo(naive.freedWindow.size() - before);
        forgetGoneEnd();
    }

    private void evictStates(int count) {
        victims.clear();
        long freed = tree.evictStates(count);
        int before = naive.freedStates.size();
        assertThat(victims).isEqualTo(naive.evictStates(count));
        assertThat(freed).isEqualTo(naive.freedStates.size() - before);
        forgetGoneEnd();
    }

    private void forgetGoneEnd() {
        if (!naive.nodes().contains(naiveEnd)) {
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
        assertThat(pool.drainFreed()).isEqualTo(naive.freed);
        assertThat(windowPool.drainFreed()).isEqualTo(naive.freedWindow);
        assertThat(statePool.drainFreed()).isEqualTo(naive.freedStates);
        naive.freed.clear();
        naive.freedWindow.clear();
        naive.freedStates.clear();
        assertThat(pool.free() + tree.evictableUnits() + tree.lockedUnits()).isEqualTo(SLOTS);
        assertThat(windowPool.free() + tree.evictableWindowUnits() + tree.lockedWindowUnits())
                .isEqualTo(WINDOW_SLOTS);
        assertThat(statePool.free() + tree.states()).isEqualTo(STATES);
        assertThat(tree.lockedWindowUnits()).isEqualTo(naive.lockedWindowUnits());
        assertThat(tree.size()).isEqualTo(naive.nodes().size());
    }

    private static String session(Random random) {
        return "s" + random.nextInt(5);
    }

    private int[] slotsOf(IntSlots table, int node) {
        int[] own = new int[tree.length(node)];
        table.copy(node, own.length, own, 0);
        return own;
    }

    private int[] pathSlots(int node, int length) {
        int[] path = new int[length];
        int end = length;
        for (int at = node; at != PrefixTree.ROOT; at = tree.parent(at)) {
            int[] own = slotsOf(slots, at);
            end -= own.length;
            System.arraycopy(own, 0, path, end, own.length);
        }
        return path;
    }

    private String describe(int node) {
        return tree.namespaceOf(node) + Arrays.toString(tree.path(node));
    }

    @Override
    public void victim(int node) {
        victims.add(describe(node));
    }

    @Override
    public void tombstone(int node) {
        victims.add("tombstone " + describe(node));
    }
}
