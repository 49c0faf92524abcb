package io.tidemark.index.prefix;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A tree that one writer changes at random, with a record of what a few fixed keys found, and of all counts, after each
 * change. Readers on other threads learn which changes had begun and ended, and later compare.
 */
final class WatchedTree implements Transfers {
    static final int KEYS = 5;

    private static final int LONGEST = 160;
    private static final int CAPACITY = 1_500;

    /** What the tree said after one change. */
    private record State(List<MatchLengths> found, TreeStats stats) {}

    /** The lengths of a match. */
    record MatchLengths(int device, int host, int full) {
        static MatchLengths of(MatchResult result) {
            return new MatchLengths(result.deviceLength(), result.hostLength(), result.fullLength());
        }
    }

    private final PrefixTree<CountedSlots> tree;
    private final Random random;
    private final int[][] keys = new int[KEYS][];
    private final Insertion<CountedSlots> insertion =
            new Insertion<>(CountedSlots.SLOTS).windowValues(CountedSlots.SLOTS);
    private final Queue<Integer> writes = new ArrayDeque<>();
    private final List<State> states = new ArrayList<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    WatchedTree(TreeOptions options, long seed) {
        this.random = new Random(seed);
        TreeServices<CountedSlots> services =
                TreeServices.deviceOnly(CountedSlots.SLOTS).withWindows(CountedSlots.SLOTS);
        this.tree = new PrefixTree<>(
                options,
                options.host().policy() == WritePolicy.NONE
                        ? services
                        : services.withHost(new CountedHost(CAPACITY), this));
        for (int key = 0; key < KEYS; key++) {
            keys[key] = tokens(LONGEST - 7 * key);
        }
        states.add(state());
    }

    PrefixTree<CountedSlots> tree() {
        return tree;
    }

    TokenKey key(int key) {
        return new TokenKey().set(0, keys[key]);
    }

    /** Changes that have ended. */
    int ended() {
        return ended.get();
    }

    /** Changes that have begun. */
    int begun() {
        return begun.get();
    }

    /** Some more random changes, one or a few. */
    void change() {
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3, 4, 5 -> insert();
            case 6, 7 -> call(() -> tree.match(related(), new MatchResult()));
            case 8, 9 -> call(() -> tree.evict(1 + random.nextInt(200)));
            case 10 -> {
                call(() -> tree.evictWindow(1 + random.nextInt(60)));
                call(() -> tree.evictHost(1 + random.nextInt(100)));
                while (!writes.isEmpty()) {
                    call(() -> tree.writeDone(writes.remove()));
                }
            }
            default -> rare();
        }
    }

    /** One call of the tree, and the record of what it left. */
    private void call(Runnable change) {
        begun.incrementAndGet();
        change.run();
        states.add(state());
        ended.incrementAndGet();
    }

    /** Whether the key found that much after one of these changes, the first and the last included. */
    boolean found(int key, MatchLengths lengths, int from, int to) {
        return states.subList(from, to + 1).stream()
                .anyMatch(state -> state.found().get(key).equals(lengths));
    }

    /** Whether the counts were these after one of these changes. */
    boolean counted(TreeStats stats, int from, int to) {
        return states.subList(from, to + 1).stream()
                .anyMatch(state -> state.stats().equals(stats));
    }

    private void insert() {
        TokenKey key = related();
        if (tree.evictableUnits() + key.length() > CAPACITY) {
            call(() -> tree.evict(CAPACITY / 4));
        }
        insertion.windowStart(0).state(random.nextInt(3) == 0 ? Insertion.NO_STATE : key.length());
        call(() -> tree.insert(key, insertion));
    }

    private void rare() {
        if (random.nextInt(10) == 0) {
            call(tree::reset);
            writes.clear();
            return;
        }
        MatchResult match = new MatchResult();
        call(() -> tree.match(related(), match));
        int[] receipt = new int[1];
        call(() -> receipt[0] = tree.lock(match.deviceNode()));
        call(() -> tree.evict(CAPACITY / 2));
        call(() -> tree.unlock(match.deviceNode(), receipt[0]));
    }

    /** A start of one of the keys, and tokens of its own behind it. */
    private TokenKey related() {
        int[] tokens = keys[random.nextInt(KEYS)].clone();
        int own = random.nextInt(tokens.length);
        for (int i = own; i < tokens.length && random.nextBoolean(); i++) {
            tokens[i] = 1_000 + random.nextInt(4);
        }
        return new TokenKey().set(0, tokens, own + random.nextInt(tokens.length - own + 1));
    }

    private int[] tokens(int length) {
        int[] tokens = new int[length];
        for (int i = 0; i < length; i++) {
            tokens[i] = i < 20 ? i : random.nextInt(3);
        }
        return tokens;
    }

    private State state() {
        List<MatchLengths> found = new ArrayList<>(KEYS);
        for (int key = 0; key < KEYS; key++) {
            MatchResult result = new MatchResult();
            tree.peek(key(key), result);
            found.add(MatchLengths.of(result));
        }
        return new State(found, tree.stats());
    }

    @Override
    public void write(int node) {
        writes.add(node);
    }

    @Override
    public void load(int node) {
        throw new AssertionError("nothing is loaded here, asked for node " + node);
    }

    @Override
    public void awaitWrites() {
        while (!writes.isEmpty()) {
            tree.writeDone(writes.remove());
        }
    }
}
