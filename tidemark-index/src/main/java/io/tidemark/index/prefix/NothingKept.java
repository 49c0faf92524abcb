package io.tidemark.index.prefix;

/** A table of values that keeps none. */
interface NothingKept<V> extends SlotTable<V> {
    @Override
    default void adopt(int node, V values, int from, int length) {}

    @Override
    default void reject(V values, int from, int length) {}

    @Override
    default void split(int prefix, int suffix, int at, int rest) {}

    @Override
    default void allocate(int node, int length) {}

    @Override
    default void release(int node, int length) {}

    @Override
    default void clear() {}
}
