package io.tidemark.index.prefix.golden;

import io.tidemark.index.prefix.PrefixTree;
import io.tidemark.index.prefix.Transfers;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.IntConsumer;

/** Transfers that take no time but wait, in order, until they are told to complete. */
final class FifoTransfers implements Transfers {
    private final Queue<Integer> writes = new ArrayDeque<>();
    private final Queue<Integer> loads = new ArrayDeque<>();
    private Optional<PrefixTree<?>> tree = Optional.empty();

    /** Names the tree that is told of completions. */
    void attach(PrefixTree<?> owner) {
        tree = Optional.of(owner);
    }

    @Override
    public void write(int node) {
        writes.add(node);
    }

    @Override
    public void load(int node) {
        loads.add(node);
    }

    @Override
    public void awaitWrites() {
        completeWrites(Long.MAX_VALUE);
    }

    long completeWrites(long count) {
        return complete(writes, count, tree.orElseThrow()::writeDone);
    }

    long completeLoads(long count) {
        return complete(loads, count, tree.orElseThrow()::loadDone);
    }

    void clear() {
        writes.clear();
        loads.clear();
    }

    private static long complete(Queue<Integer> queue, long count, IntConsumer done) {
        long completed = 0;
        while (completed < count && !queue.isEmpty()) {
            done.accept(queue.remove());
            completed++;
        }
        return completed;
    }
}
