package io.tidemark.index.prefix;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Values that are objects, one a unit: names of blocks, counters of a simulator, whatever the caller keeps.
 *
 * @param <T> a value
 */
public final class ObjectSlots<T> implements SlotTable<List<T>> {
    private final List<List<T>> byNode = new ArrayList<>();
    private final Consumer<T> released;
    private final Supplier<T> fresh;

    /**
     * An empty table.
     *
     * @param released takes every value that the tree gives back
     * @param fresh makes a value for a unit that is loaded back from the host
     */
    public ObjectSlots(Consumer<T> released, Supplier<T> fresh) {
        this.released = released;
        this.fresh = fresh;
    }

    /** The node's own values, in the order of its units. */
    public List<T> values(int node) {
        return byNode.get(node);
    }

    @Override
    public void adopt(int node, List<T> values, int from, int length) {
        put(node, List.copyOf(values.subList(from, from + length)));
    }

    @Override
    public void reject(List<T> values, int from, int length) {
        values.subList(from, from + length).forEach(released);
    }

    @Override
    public void split(int prefix, int suffix, int at, int rest) {
        List<T> whole = byNode.get(suffix);
        put(prefix, List.copyOf(whole.subList(0, at)));
        put(suffix, List.copyOf(whole.subList(at, at + rest)));
    }

    @Override
    public void allocate(int node, int length) {
        List<T> values = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            values.add(fresh.get());
        }
        put(node, List.copyOf(values));
    }

    @Override
    public void release(int node, int length) {
        List<T> values = byNode.get(node);
        byNode.set(node, List.of());
        values.forEach(released);
    }

    @Override
    public void clear() {
        byNode.clear();
    }

    private void put(int node, List<T> values) {
        while (byNode.size() <= node) {
            byNode.add(List.of());
        }
        byNode.set(node, values);
    }
}
