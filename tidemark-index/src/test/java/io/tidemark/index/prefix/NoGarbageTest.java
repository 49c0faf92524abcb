package io.tidemark.index.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In steady state no call allocates: the collector never runs because of the tree. */
class NoGarbageTest {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final int ROUNDS = 20_000;
    private static final int KEY = 48;

    private final int[] tokens = new int[KEY];
    private final int[] values = new int[KEY];
    private final TokenKey key = new TokenKey();
    private final MatchResult match = new MatchResult();
    private final Insertion<int[]> insertion = new Insertion<>(values);

    @ParameterizedTest
    @ValueSource(strings = {"lru", "lfu", "priority", "mru", "slru", "fifo"})
    void matchInsertLockAndEvictAllocateNothing(String policy) {
        Stack pool = new Stack(40_000);
        IntSlots slots = new IntSlots(pool);
        PrefixTree<int[]> tree = new PrefixTree<>(
                TreeOptions.DEFAULT.withPolicy(TreePolicy.named(policy)).withExpectedNodes(20_000),
                TreeServices.deviceOnly(slots));
        Random random = new Random(5);
        long grown = tree.bytes();
        long allocated = Long.MAX_VALUE;
        // arrays grow to the size that the work needs, then nothing may be allocated any more
        for (int pass = 0; pass < 6 && allocated > 0; pass++) {
            allocated = -THREADS.getCurrentThreadAllocatedBytes();
            run(tree, pool, random);
            allocated += THREADS.getCurrentThreadAllocatedBytes();
        }
        assertThat(allocated).isZero();
        assertThat(tree.bytes()).isGreaterThanOrEqualTo(grown);
        tree.sanityCheck();
    }

    private void run(PrefixTree<int[]> tree, Stack pool, Random random) {
        for (int round = 0; round < ROUNDS; round++) {
            int family = random.nextInt(50);
            int shared = random.nextInt(KEY);
            for (int i = 0; i < KEY; i++) {
                tokens[i] = i < shared ? family : random.nextInt(1_000);
            }
            key.set(0, tokens);
            tree.match(key, match);
            int node = match.deviceNode();
            tree.lock(node);
            if (pool.size < KEY) {
                tree.evict(10L * KEY);
            }
            pool.allocate(values, KEY);
            tree.insert(key, insertion.priority(family & 3));
            tree.unlock(node);
        }
    }

    /** A pool of slots. */
    private static final class Stack implements SlotPool {
        private final int[] slots;
        private int size;

        Stack(int capacity) {
            slots = new int[capacity];
            free(0, capacity);
        }

        @Override
        public void free(int first, int count) {
            for (int i = 0; i < count; i++) {
                slots[size++] = first + i;
            }
        }

        @Override
        public void allocate(int[] target, int count) {
            for (int i = 0; i < count; i++) {
                target[i] = slots[--size];
            }
        }
    }
}
