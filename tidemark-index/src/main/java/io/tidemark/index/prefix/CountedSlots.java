package io.tidemark.index.prefix;

/** No values at all: for simulators and routers, which only need the tree and its sums. */
public enum CountedSlots implements NothingKept<CountedSlots> {
    /** Both the table and the values of every request. */
    SLOTS
}
