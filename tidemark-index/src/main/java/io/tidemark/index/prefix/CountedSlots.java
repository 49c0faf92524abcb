package io.tidemark.index.prefix;

/** No values at all: for simulators and routers, which only need the tree and its sums. */
public enum CountedSlots implements SlotTable<CountedSlots> {
    /** Both the table and the values of every request. */
    SLOTS;

    @Override
    public void adopt(int node, CountedSlots values, int from, int length) {}

    @Override
    public void reject(CountedSlots values, int from, int length) {}

    @Override
    public void split(int prefix, int suffix, int at, int rest) {}

    @Override
    public void allocate(int node, int length) {}

    @Override
    public void release(int node, int length) {}

    @Override
    public void clear() {}
}
